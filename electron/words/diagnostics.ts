/** Finding out what is wrong: a tool tried by hand, and the report. */
const en = {
  title: 'Diagnostics',
  about:
    'A tool is called as a client calls it, with what goes over the wire. The report has versions, engines, sandbox, ports and the newest lines of the log, without what looks like a secret. A program’s own handshake is tried under Clients.',
  tryTool: 'Try a tool…',
  trying: 'Try a tool',
  copyReport: 'Copy report',
  report: 'report',
  tool: 'Tool',
  asForm: 'Form',
  json: 'Arguments as JSON',
  required: 'required',
  usual: 'as usual',
  call: 'Call',
  calling: 'Called; the answer is on its way…',
  unread: (field: string) => `What stands in ${field} is no value of JSON of its kind.`,
  request: 'Request',
  reply: 'Reply',
  took: (duration: string) => `answered after ${duration}`,
  end: 'The session that these calls share ends as this closes.',
};

const ja: typeof en = {
  title: '診断',
  about:
    'ツールをクライアントと同じように呼び出し、やり取りをそのまま表示します。レポートには、バージョン、エンジン、サンドボックス、ポート、ログの最新の行が含まれ、秘密と思われるものは除かれます。プログラム自身のハンドシェイクは「クライアント」で試せます。',
  tryTool: 'ツールを試す…',
  trying: 'ツールを試す',
  copyReport: 'レポートをコピー',
  report: 'レポート',
  tool: 'ツール',
  asForm: 'フォーム',
  json: 'JSON の引数',
  required: '必須',
  usual: '既定',
  call: '呼び出す',
  calling: '呼び出しました。応答を待っています…',
  unread: (field) => `${field} の内容は、その種類の JSON の値ではありません。`,
  request: 'リクエスト',
  reply: '応答',
  took: (duration) => `${duration}で応答`,
  end: 'これらの呼び出しが共有するセッションは、閉じると終わります。',
};

export const diagnostics = { en, ja };
