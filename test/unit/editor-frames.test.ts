/** Which messages pass between an editor and an image, and what is left of them. */
import { describe, expect, it } from 'vitest';
import { type RecordedRequest, SwankEvaluations } from '../../electron/endpoints/editors/swank-evaluations';
import { EditorConversation } from '../../electron/endpoints/editors/swank-frames';
import { frame } from '../../electron/host/swank-framing';

/** A conversation whose frames are collected as texts. */
function conversing(refusal: () => string | null = () => null, evaluations?: SwankEvaluations) {
  const [editor, image]: [string[], string[]] = [[], []];
  const text = (frame: Buffer) => frame.toString('utf8', 6);
  const conversation = new EditorConversation({
    refusal,
    ...(evaluations && { evaluations }),
    toEditor: (frame) => void editor.push(text(frame)),
    toImage: (frame) => void image.push(text(frame)),
  });
  conversation.requests.on('data', (frame: Buffer) => void image.push(text(frame)));
  conversation.replies.on('data', (frame: Buffer) => void editor.push(text(frame)));
  return {
    editor,
    image,
    conversation,
    ask: (message: string) => conversation.requests.write(frame(message)),
    answer: (message: string) => conversation.replies.write(frame(message)),
  };
}

const REX = '(:emacs-rex (swank:listener-eval "(+ 1 2)\n") "COMMON-LISP-USER" :repl-thread 7)';

it('a message that grows beyond its header when it is printed again ends the connection', async () => {
  const { editor, conversation } = conversing();
  let failure: Error | undefined;
  conversation.replies.on('error', (error) => (failure = error));
  const begun = Buffer.from('(:write-string "');
  // Each byte that is no UTF-8 becomes a character of three bytes.
  const text = Buffer.concat([begun, Buffer.alloc(6_000_000, 0xff), Buffer.from('")')]);
  conversation.replies.write(Buffer.concat([Buffer.from(text.length.toString(16).padStart(6, '0')), text]));
  await expect.poll(() => failure !== undefined || editor.length > 0).toBe(true);
  expect(editor).toEqual([]);
});

describe('an image', () => {
  it.each([
    '(:write-string "3\n" :repl-result)',
    '(:write-string "a \\" b \\\\ é 日本" nil 1)',
    '(:new-package "COMMON-LISP-USER" "CL-USER")',
    '(:debug 1 1 ("x" "[y]" nil) (("ABORT" "z")) ((0 "(f)" (:restartable t))) (3))',
    '(:indentation-update (("with-x" 1 ("CL-USER")) ("with-y" ("&whole" 4 ("&lambda" 2)) ("P"))))',
    '(:new-features (:x86-64 :swank))',
    '(:ping 1 2)',
    '(:presentation-start 1 :repl-result)',
  ])('may send %s', (message) => {
    const { editor, answer } = conversing();
    answer(message);
    expect(editor).toEqual([message]);
  });

  it.each([
    ['(:eval-no-wait "(delete-file \\"x\\")")', ':eval-no-wait'],
    ['(:eval 1 2 "(delete-file \\"x\\")")', ':eval'],
    ['(:ed-rpc-no-wait "kill-emacs")', ':ed-rpc-no-wait'],
    ['(:ed-rpc 1 2 "kill-emacs")', ':ed-rpc'],
    ['(:ed "/ssh:host:/x")', ':ed'],
    ['(:write-image "x" "y")', ':write-image'],
    ['(:popup-buffer "x" "y" nil)', ':popup-buffer'],
    ['(:open-dedicated-output-stream 22 nil)', ':open-dedicated-output-stream'],
    ['(:%apply "kill-emacs" nil)', 'malformed'],
    ['(:emacs-rex (x) nil t 1)', ':emacs-rex'],
    ['(:test-delay 1000000)', ':test-delay'],
    ['(:WRITE-STRING "x")', 'malformed'],
    // Emacs reads text with properties, whose display may be a condition that it evaluates.
    ['(:write-string #("x" 0 1 (display (when (delete-file "x") . "y"))))', 'malformed'],
    ['(:write-string "x" #[(x) "\\300\\207" [nil] 1])', 'malformed'],
    ['(:write-string "x" #@9 (:eval))', 'malformed'],
    ['(:write-string "x" a#("y" 0 1 (display x)))', 'malformed'],
    ['(:write-string "x" #s(hash-table))', 'malformed'],
    ['(:write-string ?a)', 'malformed'],
    ['(:write-string [1 2])', 'malformed'],
    ['(:write-string "x") (:eval-no-wait "y")', 'malformed'],
    ['(:write-string `(x ,y))', 'malformed'],
    [`(:write-string ${'('.repeat(2_000)}${')'.repeat(2_000)})`, 'malformed'],
    ['"x"', 'malformed'],
    ['', 'malformed'],
  ])('may not send %s', (message, named) => {
    const { editor, answer } = conversing();
    answer(message);
    answer(message);
    // It is reported once.
    expect(editor).toEqual([expect.stringMatching(/^\(:debug-condition 0 "Lisp Harbor: /)]);
    expect(editor[0]).toContain(named);
  });

  it('that waits for an evaluation in the editor is told that there is none', () => {
    const { image, answer } = conversing();
    answer('(:eval 3 4 "(x)")');
    answer('(:ed-rpc 5 6 "f")');
    expect(image).toEqual([
      '(:emacs-return 3 4 (:abort "Lisp Harbor refused it"))',
      '(:emacs-return 5 6 (:abort "Lisp Harbor refused it"))',
    ]);
  });

  it('names no function that an editor calls to indent', () => {
    const { editor, answer } = conversing();
    answer(
      '(:indentation-update (("a" "kill-emacs" nil) ("b" ("lambda" nil) nil) ("c" kill-emacs nil) ("d" 2 nil)))',
    );
    expect(editor).toEqual(['(:indentation-update (("d" 2 nil)))']);
  });

  it('answers each request once, and nothing else', () => {
    const { editor, image, ask, answer } = conversing();
    answer('(:return (:ok 1) 7)');
    ask(REX);
    answer('(:return (:ok (quote "x")) 8)');
    answer('(:return (:ok "three") 7)');
    answer('(:return (:ok "four") 7)');
    expect(image).toEqual([REX]);
    expect(editor).toEqual(['(:return (:ok "three") 7)']);
  });

  it('may cut its messages anywhere, and is closed after what is none', async () => {
    const { editor, conversation } = conversing();
    const bytes = frame('(:write-string "é")');
    for (const byte of bytes) conversation.replies.write(Buffer.from([byte]));
    expect(editor).toEqual(['(:write-string "é")']);
    for (const wrong of ['00000g(:x)', 'ffffff(:write-string "x")', 'HTTP/1.1 200']) {
      const { replies } = conversing().conversation;
      const failed = new Promise((resolve) => void replies.once('error', resolve));
      replies.write(wrong);
      expect(await failed).toBeInstanceOf(Error);
    }
  });
});

describe('an editor while no client may evaluate', () => {
  it('reaches the image only to stop it, from the next message on', () => {
    let refusal: string | null = null;
    const { editor, image, ask, answer } = conversing(() => refusal);
    ask(REX);
    refusal = 'all agents are "paused"';
    answer('(:return (:ok 3) 7)');
    const messages = [
      REX.replace('7)', '8)'),
      '(:emacs-return-string 1 2 "(evil)\n")',
      '(:emacs-return 1 2 (:ok (evil)))',
      '(:emacs-channel-send 1 (:process "(evil)"))',
      '(:unknown-to-harbor)',
    ];
    for (const message of messages) ask(message);
    ask('(:emacs-interrupt :repl-thread)');
    ask('(:emacs-pong 1 2)');
    expect(image).toEqual([REX, '(:emacs-interrupt :repl-thread)', '(:emacs-pong 1 2)']);
    expect(editor.slice(0, 2)).toEqual([
      '(:return (:ok 3) 7)',
      '(:return (:abort "all agents are \\"paused\\"") 8)',
    ]);
    expect(editor).toHaveLength(1 + messages.length);
    refusal = null;
    ask(REX.replace('7)', '9)'));
    expect(image).toHaveLength(4);
  });
});

describe('a REPL of SLY', () => {
  /** Opens one: channel 1 of Emacs is channel 7 of the image, whose thread is 42. */
  function replOf(made: ReturnType<typeof conversing>) {
    made.ask('(:emacs-rex (slynk-mrepl:create-mrepl 1) "COMMON-LISP-USER" t 3)');
    made.answer('(:channel-send 1 (:prompt "HARBOR" "HARBOR" 0 0))');
    made.answer('(:return (:ok (7 42)) 3)');
    made.image.length = 0;
    made.editor.length = 0;
    return made;
  }

  it('gets values, output and prompts, and no request to open a connection', () => {
    const { answer, editor } = replOf(conversing());
    const passing = [
      '(:channel-send 1 (:write-string "low"))',
      '(:channel-send 1 (:write-values (("42" 0 "42"))))',
      '(:channel-send 1 (:prompt "HARBOR" "HARBOR" 0 1))',
    ];
    for (const message of passing) answer(message);
    expect(editor).toEqual(passing);
    answer('(:channel-send 1 (:open-dedicated-output-stream 8080 nil))');
    expect(editor.at(-1)).toContain(':open-dedicated-output-stream');
    expect(editor.at(-1)).toMatch(/^\(:debug-condition/);
  });

  it('gets an answer and its prompt again while no client may evaluate', () => {
    let refusal: string | null = null;
    const { ask, editor, image } = replOf(conversing(() => refusal));
    ask('(:emacs-channel-send 7 (:process "(+ 1 2)"))');
    expect(image).toHaveLength(1);
    refusal = 'All agents are paused.';
    ask('(:emacs-channel-send 7 (:process "(+ 1 2)"))');
    expect(image).toHaveLength(1);
    expect(editor).toEqual([
      '(:channel-send 1 (:evaluation-aborted "All agents are paused."))',
      '(:channel-send 1 (:prompt "HARBOR" "HARBOR" 0 0))',
    ]);
    ask('(:emacs-channel-send 7 (:teardown))');
    expect(image.at(-1)).toContain(':teardown');
  });

  it('is recorded with the package of its prompt; input that code reads is no evaluation', () => {
    const begun: RecordedRequest[] = [];
    const ended: unknown[] = [];
    const evaluations = new SwankEvaluations((request) => {
      begun.push(request);
      return { id: begun.length, output: () => undefined, close: (end) => ended.push(end) };
    });
    const { ask, answer } = replOf(conversing(() => null, evaluations));
    ask('(:emacs-channel-send 7 (:process "(error \\"no\\")"))');
    answer(
      '(:debug 42 1 ("no" "[Condition of type SIMPLE-ERROR]" nil) (("ABORT" "Return.")) ((0 "(F)")) nil)',
    );
    answer('(:channel-send 1 (:prompt "HARBOR" "HARBOR" 1 0 "no"))');
    ask('(:emacs-channel-send 7 (:process "(read-line)"))');
    answer('(:channel-send 1 (:set-read-mode :read))');
    ask('(:emacs-channel-send 7 (:process "a line"))');
    answer('(:channel-send 1 (:set-read-mode :finished-reading))');
    answer('(:channel-send 1 (:write-values (("\\"a line\\"" 0 nil))))');
    answer('(:channel-send 1 (:evaluation-aborted "no"))');
    expect(begun.map(({ code, package: name, kind }) => [kind, code, name])).toEqual([
      ['listener', '(error "no")', 'HARBOR'],
      ['listener', '(read-line)', 'HARBOR'],
    ]);
    expect(ended).toMatchObject([
      { outcome: 'ok', forms: [{ code: '(read-line)', values: ['"a line"'] }] },
      { outcome: 'error', condition: { message: 'no', type: 'SIMPLE-ERROR' } },
    ]);
  });
});
