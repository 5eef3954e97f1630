;; Writes values as JSON (RFC 8259), which is how a Clojure image answers the harbor. There is no library for it in
;; an image that holds nothing but Clojure, and none that Clojure and ClojureScript share.
(ns lisp-harbor.json
  (:require [clojure.string :as string]))

(def ^:private escapes
  "How the characters stand in a string that do not stand for themselves."
  (merge (zipmap (map char (range 32))
                 (for [code (range 32)] (str "\\u00" (quot code 16) (nth "0123456789abcdef" (rem code 16)))))
         {\" "\\\""
          \\ "\\\\"}))

(defn- json-string [text]
  (str \" (string/escape text escapes) \"))

(defn json
  "Of nil, booleans, integers, strings, keywords, symbols, sequences, sets and maps with such keys. An entry of a map whose
  value is nil is left out."
  [value]
  (cond
    (nil? value) "null"
    (or (boolean? value) (integer? value)) (str value)
    (map? value) (str \{ (string/join \, (for [[key item] value :when (some? item)]
                                           (str (json-string (name key)) \: (json item)))) \})
    (or (sequential? value) (set? value)) (str \[ (string/join \, (map json value)) \])
    :else (json-string (if (keyword? value) (name value) (str value)))))
