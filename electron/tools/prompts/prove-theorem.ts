/** The prompt "prove a theorem": the way from a sentence or a form to a theorem that ACL2 has admitted. */
import type { Sessions } from '../../sessions/sessions';
import type { Prompt } from './prompt';

export function proveTheorem({ sessions }: { sessions: Sessions }): Prompt {
  return {
    name: 'prove_theorem',
    title: 'Prove a theorem',
    description: 'Works towards a proof in ACL2, lemma by lemma, and says what the result rests on.',
    arguments: [
      { name: 'theorem', description: 'What is to be proved: a form of ACL2, or words', required: true },
      {
        name: 'session',
        description: 'A session of ACL2 whose definitions it is about',
        required: false,
        values: ({ client }) =>
          sessions.of(client).flatMap((session) => (session.view().world ? [session.id] : [])),
      },
    ],
    text: ({ theorem = '', session }) => `Prove this theorem with ACL2:

${theorem.trim()}

${session?.trim() ? `Work in session ${session.trim()}: look first at what it has defined (:pbt 1).` : 'Use your session of ACL2; open one with engine acl2 if your default session is another Lisp.'}

1. If it is stated in words, write the definitions and the DEFTHM first, show them to me, and say what they leave open. Do not change what is claimed in order to get it proved.
2. Evaluate the definitions and the conjecture on small values. If it is false for one, stop and show me that.
3. Submit the theorem. When it fails, read its key checkpoints, those at the top level first. For each: is it true? If not, which hypothesis is missing? If it is, which rewrite rule would simplify it?
4. State that rule as a lemma, as general as it stays true, and prove it in the same way. Then submit the theorem again. Prefer lemmas to hints. The suggestions in a failure are computed and not proved: try them with thm.
5. Use no skip-proofs, no axiom, no trust tag, no redefinition and no :program mode for what the theorem is about. Undo lemmas that turned out useless.
6. If a proof runs long, look at its progress, and cancel it when it only grows.

In the end show me the events that are needed, in order, and what ACL2 says the theorem rests on. If you did not get there, say so, with the checkpoint at which it stands: that a proof failed does not make a theorem false.`,
  };
}
