/** What is lost and what stays when an image dies or ends with its session. */
const en = {
  connectionGone: (address: string) => `The connection to ${address} is gone. `,
  imageDied: 'The image of this session died.',
  imageGone: (because: string) => `The image of this session is gone, because ${because}.`,
  allLost: ' Its state is lost. Evaluate anything to get a fresh image, or close the session.',
  definitionsAgain:
    ' The next evaluation gets a new one, in which definitions are evaluated again from the history. Other state is lost.',
  checkpointAndDefinitions: (checkpoint: string) =>
    ` The next evaluation gets a new one from checkpoint ${checkpoint}, in which later definitions are evaluated again from the history. Anything else done since is lost.`,
  checkpointOnly: (checkpoint: string) =>
    ` The next evaluation gets a new one from checkpoint ${checkpoint}. What was done since is lost.`,
  reconnects:
    'It is tried again by itself; when the server is back, so is the session, without its state if it was started anew.',
  nreplGone:
    ' If it does not come back: does the server run, does the project’s .nrepl-port name its port, and does “Attach…” with its host and port reach it?',
  restartEnds: 'What runs or is held is ended. ',
  restartServer: 'The session is connected anew; its server goes on.',
  newImage: 'The session gets a new image.',
  fromCheckpoint: (checkpoint: string) => ` It begins from checkpoint ${checkpoint}.`,
  restartDefinitions: ' Definitions are evaluated again from the history; other state is lost.',
  restartLost: ' What was done since is lost.',
  insistent: (evaluation: number, isServer: boolean) =>
    `Evaluation ${evaluation} has not stopped when it was interrupted. It is interrupted again, in its cleanups too; if that fails within some seconds, ${isServer ? 'the connection is closed' : 'its image is ended'}.`,
  ending: (evaluation: number, isServer: boolean) =>
    `${isServer ? 'The connection is closed' : 'Its image is ended'}: evaluation ${evaluation} could not be stopped otherwise.`,
  asleepServer: (address: string) =>
    `It comes back when it is used: it is then connected with ${address} again.`,
  asleepFresh: 'It comes back when it is used, in a fresh image: its state is lost.',
  asleepWith: (what: readonly string[]) => `It comes back when it is used, with ${what.join(' and ')}.`,
  theCheckpoint: (checkpoint: string) => `the state of checkpoint ${checkpoint}`,
  theDefinitions: 'its definitions, which are evaluated again from the history',
  endServer: 'The server goes on, with whatever was defined in it. What was evaluated stays in the history.',
  endAsleep: 'Nobody can bring back what was defined there. What was evaluated stays in the history.',
  end: (sessions: number) =>
    `${sessions === 1 ? 'Its image ends and whatever was defined in it' : 'Their images end and whatever was defined in them'} is gone. What was evaluated stays in the history`,
  endCheckpoints: '; saved checkpoints stay, and new sessions can begin from them.',
  endPlain: '.',
};

const ja: typeof en = {
  connectionGone: (address) => `${address} との接続が失われました。`,
  imageDied: 'このセッションのイメージが異常終了しました。',
  imageGone: (because) => `このセッションのイメージは終了しました（${because}）。`,
  allLost:
    '状態は失われました。何かを評価すると新しいイメージになります。セッションを終了することもできます。',
  definitionsAgain:
    '次の評価で新しいイメージになり、定義は履歴から評価し直されます。ほかの状態は失われます。',
  checkpointAndDefinitions: (checkpoint) =>
    `次の評価でチェックポイント ${checkpoint} から新しいイメージになり、その後の定義は履歴から評価し直されます。その後のほかの変更は失われます。`,
  checkpointOnly: (checkpoint) =>
    `次の評価でチェックポイント ${checkpoint} から新しいイメージになります。その後の変更は失われます。`,
  reconnects:
    '自動的に再接続します。サーバーが戻ればセッションも戻りますが、起動し直されたサーバーには以前の状態がありません。',
  nreplGone:
    '戻らない場合は、サーバーが動いているか、プロジェクトの .nrepl-port がそのポートを指しているか、「接続…」でそのホストとポートに接続できるかを確認してください。',
  restartEnds: '実行中または保留中の評価は終了します。',
  restartServer: 'セッションを接続し直します。サーバーは動き続けます。',
  newImage: 'セッションは新しいイメージになります。',
  fromCheckpoint: (checkpoint) => `チェックポイント ${checkpoint} から始まります。`,
  restartDefinitions: '定義は履歴から評価し直されます。ほかの状態は失われます。',
  restartLost: 'その後の変更は失われます。',
  insistent: (evaluation, isServer) =>
    `評価 ${evaluation} は中断しても停止しませんでした。後始末の処理も含めて再び中断しています。数秒以内に停止しなければ、${isServer ? '接続を閉じます' : 'イメージを終了します'}。`,
  ending: (evaluation, isServer) =>
    `${isServer ? '接続を閉じています' : 'イメージを終了しています'}。評価 ${evaluation} はほかの方法では停止できませんでした。`,
  asleepServer: (address) => `使うときに復帰し、${address} に再接続します。`,
  asleepFresh: '使うときに新しいイメージで復帰します。状態は失われます。',
  asleepWith: (what) => `使うときに、${what.join('と、')}とともに復帰します。`,
  theCheckpoint: (checkpoint) => `チェックポイント ${checkpoint} の状態`,
  theDefinitions: '履歴から評価し直される定義',
  endServer: 'サーバーは、定義されたものとともに動き続けます。評価したものは履歴に残ります。',
  endAsleep: 'そこで定義したものは元に戻せません。評価したものは履歴に残ります。',
  end: () => 'イメージは終了し、定義したものは失われます。評価したものは履歴に残ります',
  endCheckpoints: '。保存したチェックポイントは残り、そこから新しいセッションを開けます。',
  endPlain: '。',
};

export const losses = { en, ja };
