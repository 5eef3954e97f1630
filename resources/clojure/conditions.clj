;; Exceptions as data: class, message and data of each cause, and the stack of the innermost one.
(ns lisp-harbor.conditions
  (:require [clojure.string :as string]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.json :refer [json]]
            [lisp-harbor.printing :refer [bounded]]))

(defn- cause [^Throwable error]
  (cond-> {:type (.getName (class error)) :message (message-of error)}
    (seq (ex-data error)) (assoc :data (bounded (ex-data error)))))

(defn causes
  "Returns `error` and its causes, the innermost last."
  [error]
  (take 20 (take-while some? (iterate #(.getCause ^Throwable %) error))))

(defn frame
  "Returns the text of a frame and the function that it belongs to."
  [^StackTraceElement element]
  (let [class-name (.getClassName element)
        method (.getMethodName element)
        file (.getFileName element)
        line (.getLineNumber element)
        function (string/split (clojure.lang.Compiler/demunge (str class-name)) #"/")
        named (if (= 1 (count function)) (str class-name "." method) (string/join "/" (take 2 function)))]
    {:call (str named (when file (str " (" file \: line ")")))
     :function named}))

(def ^:private most-frames 100)

(defn thread-frames
  "Returns the frames of the thread that evaluates for the nREPL session with the id `session`; none if it is
  not found."
  [{:keys [session]}]
  (let [named? (fn [^Thread thread] (string/includes? (.getName thread) session))
        elements (some (fn [[thread elements]] (when (named? thread) elements)) (Thread/getAllStackTraces))]
    (map frame (take most-frames elements))))

(defn print-condition
  "Prints `error` as JSON."
  [^Throwable error]
  (let [causes (causes error)
        ^Throwable root (last causes)]
    (print (json {:causes (map cause causes)
                  :frames (map frame (take most-frames (.getStackTrace root)))}))
    (flush)))
