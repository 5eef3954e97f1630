;; Whether source defines a name. What it makes only under a condition, such as that there is no value yet, is no sign of
;; itself in an image when it is loaded again. nbb loads this file as well.
(ns lisp-harbor.written
  (:require [clojure.string :as string]
            [lisp-harbor.host :refer [attempt]]))

(defn- own-macro?
  "Whether the form is a call of a macro, those of Clojure excepted: what they define is seen without it, and some make
  classes when they are expanded."
  [form]
  (let [{:keys [macro ns]} (when (symbol? (first form)) (meta (resolve (first form))))]
    (and macro
         (not (re-find #"^(clojure|cljs)\." (str (some-> ns ns-name)))))))

(defn- inside
  "What is in a form, where it may define `simple`."
  [form simple]
  (cond
    (not (seq? form)) form
    (= 'comment (first form)) nil
    (and (own-macro? form) (some #{simple} (tree-seq coll? seq form)))
    [(:value (attempt #(macroexpand-1 form)) form)]
    :else form))

(defn written?
  "Whether one of `forms`, of the namespace `there`, defines the symbol `simple`."
  [forms there simple]
  (let [defines? #(and (seq? %) (symbol? (first %))
                       (string/starts-with? (name (first %)) "def")
                       (= (second %) simple))]
    (binding [*ns* there]
      (boolean (some defines? (tree-seq coll? #(inside % simple) forms))))))
