;; Contents of a value for the inspector, shared by the JVM and nbb: `:elements`, their `:total`, a
;; function `:part` of the number of an element and the element, and facts.
(ns lisp-harbor.elements)

(defn fact [named text]
  {:name named :text (str text)})

(defn numbered
  "Returns contents whose parts are named by their number."
  [elements total]
  {:elements elements :total total :part (fn [index element] {:name (str index) :value element})})

(defn listed
  "Returns contents of existing parts."
  [parts]
  {:elements parts :total (count parts) :part (fn [_ part] part)})
