/** The table of shortcuts in the settings. */
const en = {
  title: 'Shortcuts',
  about:
    'Where you type Lisp, keys of Emacs’s and the shell’s line editing stay theirs; Ctrl+Shift+P has all commands there.',
  taken: (shortcut: string, title: string) => `${shortcut} starts “${title}”.`,
  pressFor: (title: string) => `Press a shortcut for ${title}`,
  press: 'Press it, Backspace for none, Escape to leave it',
  changeOf: (title: string) => `Change the shortcut of ${title}`,
  change: 'Change…',
  usualOf: (title: string) => `Usual shortcut of ${title}`,
  backTo: (shortcut: string) => `Back to ${shortcut}`,
  backToNone: 'Back to none',
};

const ja: typeof en = {
  title: 'ショートカット',
  about:
    'Lisp を入力する場所では、Emacs とシェルの行編集のキーが優先されます。そこでは Ctrl+Shift+P ですべてのコマンドを呼び出せます。',
  taken: (shortcut, title) => `${shortcut} は「${title}」に使われています。`,
  pressFor: (title) => `${title}のショートカットを押してください`,
  press: 'キーを押してください。Backspace でなし、Escape でキャンセル',
  changeOf: (title) => `${title}のショートカットを変更`,
  change: '変更…',
  usualOf: (title) => `${title}の既定のショートカット`,
  backTo: (shortcut) => `${shortcut} に戻す`,
  backToNone: 'なしに戻す',
};

export const shortcuts = { en, ja };
