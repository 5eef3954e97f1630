;; ABOUTME: How values are shown: bounded, however large or broken they are.
(ns lisp-harbor.printing)

(def ^:private longest 2000)

(defn- cut [text]
  (if (<= (count text) longest)
    text
    (str (subs text 0 longest) " …")))

(defn bounded
  "How `value` prints, up to a length. A lazy sequence that nobody has asked for yet stays so."
  [value]
  (if (and (instance? clojure.lang.LazySeq value) (not (realized? value)))
    "(a lazy sequence, not realized)"
    (binding [*print-length* 20 *print-level* 5]
      (try (cut (pr-str value))
           (catch Throwable _ "(data that cannot be printed)")))))
