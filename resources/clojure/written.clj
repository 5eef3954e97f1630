;; Checks whether source defines a name. A conditional definition, for example one made only if there
;; is no value yet, is not evaluated again on reload, so its absence after a load means nothing. nbb
;; loads this file too.
(ns lisp-harbor.written
  (:require [clojure.string :as string]
            [lisp-harbor.host :refer [attempt]]))

(defn- own-macro?
  "Reports whether the form calls a macro other than Clojure's own. Definitions by Clojure's macros are
  recognized without expansion, and the expansion of some defines classes."
  [form]
  (let [{:keys [macro ns]} (when (symbol? (first form)) (meta (resolve (first form))))]
    (and macro
         (not (re-find #"^(clojure|cljs)\." (str (some-> ns ns-name)))))))

(defn- inside
  "Returns the subforms of a form that may define `simple`."
  [form simple]
  (cond
    (not (seq? form)) form
    (= 'comment (first form)) nil
    (and (own-macro? form) (some #{simple} (tree-seq coll? seq form)))
    [(:value (attempt #(macroexpand-1 form)) form)]
    :else form))

(defn written?
  "Reports whether one of `forms`, of the namespace `there`, defines the symbol `simple`."
  [forms there simple]
  (let [defines? #(and (seq? %) (symbol? (first %))
                       (string/starts-with? (name (first %)) "def")
                       (= (second %) simple))]
    (binding [*ns* there]
      (boolean (some defines? (tree-seq coll? #(inside % simple) forms))))))
