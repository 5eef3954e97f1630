;; How values are shown: bounded, however large or broken they are.
(ns lisp-harbor.printing
  (:require [lisp-harbor.outlines :refer [outline]]))

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
     (let [text (outline value)]
       (if (> (count text) characters) (str (subs text 0 characters) " …") text)))))
