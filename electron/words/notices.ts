/** Notifications. */
const en = {
  waits: (client: string) => `${client} waits for your word`,
  wants: (wish: string) => `It wants ${wish}.`,
  held: (session: string, condition: string) => `${session} is held: ${condition}`,
  dropped: (program: string) => `${program} has dropped Lisp Harbor`,
  droppedAbout: 'Its configuration has no entry of ours any more.',
  ended: {
    ok: (id: number) => `#${id} has finished`,
    error: (id: number) => `#${id} ended with an error`,
    crashed: (id: number) => `#${id} ended: its image died`,
  },
};

const ja: typeof en = {
  waits: (client) => `${client} が承認を待っています`,
  wants: (wish) => `要求: ${wish}`,
  held: (session, condition) => `${session} で保留中: ${condition}`,
  dropped: (program) => `${program} から Lisp Harbor がなくなりました`,
  droppedAbout: '構成に Lisp Harbor の項目がありません。',
  ended: {
    ok: (id) => `#${id} が終わりました`,
    error: (id) => `#${id} はエラーで終わりました`,
    crashed: (id) => `#${id} はイメージの終了により終わりました`,
  },
};

export const notices = { en, ja };
