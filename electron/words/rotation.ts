/** Another token in the place of one. */
const en = {
  rotate: 'Rotate…',
  rotateToken: (name: string) => `Rotate ${name}`,
  question: (name: string) => `Rotate token “${name}”?`,
  inFile: (program: string) =>
    `${program} has it in its file, which gets the new one. The old one is refused from then on.`,
  byHand:
    'Whoever holds it is refused from now on. The new one has the same name and scopes, and is shown once.',
  issued: (name: string) => `Token “${name}”`,
  change: 'Change',
  cancel: 'Cancel',
  done: 'Done',
};

const ja: typeof en = {
  rotate: '更新…',
  rotateToken: (name) => `${name} を更新`,
  question: (name) => `トークン「${name}」を更新しますか？`,
  inFile: (program) =>
    `${program} の構成ファイルにこのトークンがあり、新しいトークンに書き換えられます。以後、古いトークンは拒否されます。`,
  byHand: '以後、古いトークンは拒否されます。新しいトークンの名前とスコープは同じで、一度だけ表示されます。',
  issued: (name) => `トークン「${name}」`,
  change: '変更',
  cancel: 'キャンセル',
  done: '完了',
};

export const rotation = { en, ja };
