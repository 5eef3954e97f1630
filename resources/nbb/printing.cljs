;; Bounded printing of values, including very large and broken ones.
(ns lisp-harbor.printing
  (:require [lisp-harbor.outlines :refer [outline]]))

(def ^:private lazy (type (lazy-seq nil)))

(defn- pending?
  "Reports whether `value` is an unrealized sequence. For other types `realized?` fails with an error that prints them,
  which may be endless."
  [value]
  (and (= lazy (type value))
       (not (realized? value))))

(defn- shown-in-part
  "Returns the text of an infinite, circular or very large value; nil for any other. Babashka prints bounded itself and
  has no file image.cljs, which must not be named as a namespace that this one needs."
  [value]
  (when-let [shown (resolve (symbol (str "lisp-harbor" ".image") "shown-in-part"))]
    (shown value)))

(defn bounded
  "Returns the printed text of `value`, up to a length. Unrealized lazy sequences stay unrealized."
  ([value]
   (bounded value 2000))
  ([value characters]
   (if (pending? value)
     "(a lazy sequence, not realized)"
     (let [text (or (shown-in-part value) (outline value))]
       (if (> (count text) characters) (str (subs text 0 characters) " …") text)))))
