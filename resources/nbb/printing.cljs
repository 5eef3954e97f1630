;; How values are shown: bounded, however large or broken they are.
(ns lisp-harbor.printing)

(defn- pending?
  "Whether `value` is a sequence that nobody has asked for yet. What is no promise of one does not know `realized?`."
  [value]
  (and (seq? value)
       (not (try (realized? value) (catch :default _ true)))))

(defn bounded
  "How `value` prints, up to a length. A lazy sequence that nobody has asked for yet stays so."
  ([value]
   (bounded value 2000))
  ([value characters]
   (if (pending? value)
     "(a lazy sequence, not realized)"
     (binding [*print-length* 20 *print-level* 5]
       (try (let [text (pr-str value)]
              (if (> (count text) characters) (str (subs text 0 characters) " …") text))
            (catch :default _ "(data that cannot be printed)"))))))
