;; ABOUTME: Writes values as JSON (RFC 8259), which is how a Clojure image answers the harbor. There is no library for it in
;; ABOUTME: an image that holds nothing but Clojure.
(ns lisp-harbor.json
  (:require [clojure.string :as string]))

(defn- escaped
  "How `character` stands in a string; nil where it stands for itself."
  [character]
  (case character
    \" "\\\""
    \\ "\\\\"
    \newline "\\n"
    \return "\\r"
    \tab "\\t"
    (when (< (int character) 32)
      (format "\\u%04x" (int character)))))

(defn- json-string [text]
  (str \" (string/escape text escaped) \"))

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
