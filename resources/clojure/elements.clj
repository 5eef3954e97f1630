;; How an inspector's contents of a value are put together, alike on the JVM and in nbb: `:elements`, their `:total`, a
;; function `:part` of the number of an element and the element, and facts beside them.
(ns lisp-harbor.elements)

(defn fact [named text]
  {:name named :text (str text)})

(defn numbered
  "Contents whose parts are named by their number."
  [elements total]
  {:elements elements :total total :part (fn [index element] {:name (str index) :value element})})

(defn listed
  "Contents of parts that are there already."
  [parts]
  {:elements parts :total (count parts) :part (fn [_ part] part)})
