/** A pigeonhole theorem for ACL2: as many case splits as a test needs, up to a proof that no test has time for. */

/** Defines (pigeons n): n + 1 pigeons do not fit into n holes. */
export const PIGEONS = `
(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defstub in-hole (i j) t)
(defun row (i j n) (declare (xargs :mode :program)) (if (> j n) nil (cons \`(in-hole ,i ,j) (row i (1+ j) n))))
(defun rows (i m n) (declare (xargs :mode :program)) (if (> i m) nil (cons (cons 'or (row i 1 n)) (rows (1+ i) m n))))
(defun apart (i k j n) (declare (xargs :mode :program))
  (if (> j n) nil (cons \`(not (and (in-hole ,i ,j) (in-hole ,k ,j))) (apart i k (1+ j) n))))
(defun apart-from (i k m n) (declare (xargs :mode :program))
  (if (> k m) nil (append (apart i k 1 n) (apart-from i (1+ k) m n))))
(defun all-apart (i m n) (declare (xargs :mode :program))
  (if (> i m) nil (append (apart-from i (1+ i) m n) (all-apart (1+ i) m n))))
(defmacro pigeons (n) \`(not (and ,@(rows 1 (1+ n) n) ,@(all-apart 1 (1+ n) n))))`;

/** Its hint, which is computed for each goal, says that the prover is at work. The first goal is a checkpoint. */
export const ENDLESS = `(defthm endless (and (equal (app x y) z) (pigeons 9)) :rule-classes nil
  :hints ((prog2$ (cw "ready~%") nil)))`;
