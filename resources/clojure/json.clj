;; Writes values as JSON (RFC 8259), the format of answers to the harbor. A plain Clojure image has
;; no JSON library, and there is none for both Clojure and ClojureScript.
(ns lisp-harbor.json
  (:require [clojure.string :as string]))

(def ^:private escapes
  "Escapes of the characters that need one in a string."
  (merge (zipmap (map char (range 32))
                 (for [code (range 32)] (str "\\u00" (quot code 16) (nth "0123456789abcdef" (rem code 16)))))
         {\" "\\\""
          \\ "\\\\"}))

(defn- json-string [text]
  (str \" (string/escape text escapes) \"))

(defn json
  "Writes nil, booleans, integers, strings, keywords, symbols, sequences, sets and maps with such keys. Map
  entries whose value is nil are omitted."
  [value]
  (cond
    (nil? value) "null"
    (or (boolean? value) (integer? value)) (str value)
    (map? value) (str \{ (string/join \, (for [[key item] value :when (some? item)]
                                           (str (json-string (name key)) \: (json item)))) \})
    (or (sequential? value) (set? value)) (str \[ (string/join \, (map json value)) \])
    :else (json-string (if (keyword? value) (name value) (str value)))))
