;; ABOUTME: What the harbor asks a Clojure image beside evaluating. It is asked in a copy of the session, which is then closed,
;; ABOUTME: so that *1, *2, *3, *e and *ns* stay what they are. Each answer is printed as JSON.
(ns lisp-harbor.image
  (:require [clojure.string :as string]))

(defn- json-string [text]
  (str \" (string/escape text {\" "\\\"" \\ "\\\\" \newline "\\n" \return "\\r" \tab "\\t"}) \"))

(defn- json
  "Of nil, booleans, integers, strings, keywords, sequences and maps with such keys."
  [value]
  (cond
    (nil? value) "null"
    (or (boolean? value) (integer? value)) (str value)
    (map? value) (str \{ (string/join \, (for [[key item] value] (str (json-string (name key)) \: (json item)))) \})
    (or (sequential? value) (set? value)) (str \[ (string/join \, (map json value)) \])
    :else (json-string (if (keyword? value) (name value) (str value)))))

(defn- bounded
  "How `value` prints, however large or broken it is."
  [value]
  (binding [*print-length* 20 *print-level* 5]
    (try (pr-str value)
         (catch Throwable _ "(data that cannot be printed)"))))

(defn- cause [^Throwable error]
  (cond-> {:type (.getName (class error)) :message (.getMessage error)}
    (seq (ex-data error)) (assoc :data (bounded (ex-data error)))))

(defn- frame [[class-name method file line]]
  (let [function (string/split (clojure.lang.Compiler/demunge (str class-name)) #"/")
        named (if (= 1 (count function)) (str class-name "." method) (string/join "/" (take 2 function)))]
    {:call (str named (when file (str " (" file \: line ")")))
     :function named}))

(def ^:private most-frames 100)

(defn condition
  "Prints what `error` is: its class and message, each cause with its data, the stack of the innermost one."
  [^Throwable error]
  (let [causes (take 20 (take-while some? (iterate #(.getCause ^Throwable %) error)))
        ^Throwable root (last causes)]
    (print (json {:causes (map cause causes)
                  :frames (map frame (take most-frames (:trace (Throwable->map root))))}))
    (flush)))
