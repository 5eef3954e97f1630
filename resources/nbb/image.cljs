;; Requests of the harbor to an nbb image other than evaluations: the last error, its location, the
;; value of a promise. They must not affect the session: *1, *2, *3 and *e have the same values
;; afterwards.
(ns lisp-harbor.image
  (:require [clojure.string :as string]))

(def ^:private kept (atom nil))

(defn- answer
  "Restores *1, *2 and *3 to `history`. The server pushes the value of each form on them, so the value to
  return is the first of them."
  [[value-1 value-2 value-3]]
  (alter-var-root #'*1 (constantly value-2))
  (alter-var-root #'*2 (constantly value-3))
  value-1)

(defn keep-history
  "The first of three forms: `(keep-history 'there)` `(ns there)` `(restore-history)` enters an existing
  namespace."
  [namespace-name]
  (when-not (find-ns namespace-name)
    (throw (js/Error. (str "There is no namespace " namespace-name))))
  (reset! kept [*1 *2 *3])
  nil)

(defn restore-history []
  (let [history @kept]
    (reset! kept nil)
    (answer history)))

(defn thrown
  "Returns the value that the code threw. SCI wraps it to add a line and a column."
  [error]
  (if (= :sci/error (:type (ex-data error)))
    (or (ex-cause error) error)
    error))

(defn type-name [error]
  (cond
    (= :sci.error/parse (:type (ex-data error))) "sci.error/parse"
    (some? (ex-data error)) "cljs.core.ExceptionInfo"
    (instance? js/Error error) (.-name error)
    :else "thrown value"))

(defn- own-data
  "Returns the data that the code passed to ex-info as text, or nil."
  [error]
  (let [data (ex-data error)]
    (when (and (seq data) (not (#{:sci/error :sci.error/parse :edamame/error} (:type data))))
      (binding [*print-length* 20 *print-level* 5]
        (pr-str data)))))

(defn message [error]
  (if-let [text (ex-message error)]
    (if-let [data (own-data error)] (str text " " data) text)
    (pr-str error)))

(defn own-file
  "Returns the file of a location if it belongs to the user. SCI's own files have relative names, and other
  locations have none."
  [file]
  (when (and (string? file) (re-find #"^([/\\\\]|[A-Za-z]:)" file))
    file))

(defn stack
  "Returns the calls that led to an error, innermost first, without duplicates. SCI records a call more than
  once."
  [error]
  (some->> (:sci.impl/callstack (ex-data error)) deref reverse))

(defn short-file
  "Returns the path of a file relative to the project."
  [file]
  (let [folder (str (js/process.cwd) "/")]
    (if (string/starts-with? file folder) (subs file (count folder)) file)))

(defn- frame [{:keys [ns line column file f-meta]}]
  (str (if-let [name (:name f-meta)]
         (str (or (:ns f-meta) ns) "/" name)
         (str ns))
       (cond
         (nil? line) nil
         (nil? file) (str " (line " line ", column " column ")")
         :else (str " (" (short-file file) ":" line ":" column ")"))))

(defn- frames [error]
  (dedupe (map frame (stack error))))

(defn- without-nil
  "Removes entries without a value, as in all JSON of the harbor."
  [data]
  (cond
    (map? data) (into {} (for [[key item] data :when (some? item)] [key (without-nil item)]))
    (sequential? data) (mapv without-nil data)
    :else data))

(defn- print-json
  "Prints `data` as JSON on its own line, because inspected values may have printed something."
  [data]
  (print "\n")
  (print (js/JSON.stringify (clj->js (without-nil data))))
  (answer [*1 *2 *3]))

(def ^:private telling (atom nil))

(defn tell-by
  "Sets the function `send`, which receives all reports as JSON."
  [send]
  (reset! telling send)
  nil)

(defn tell
  "Reports to the harbor what an evaluation loads and tests while it runs, in addition to its values and
  output. `event` is a keyword, `data` a map."
  [event data]
  (@telling (js/JSON.stringify (clj->js (without-nil (assoc data :event event))))))

(defn print-settled
  "The first of two forms: `(print-settled)` `(restore-history)` prints the value of the promise that was the
  last value, which the server has awaited. That value becomes *1. Prints nothing if there was no promise."
  []
  (reset! kept [*1 *2 *3])
  (when (instance? js/Promise *1)
    (.then *1 (fn [value]
                (swap! kept assoc 0 value)
                (print (pr-str value))))))

(def ^:private sources (atom {}))

(defn keep-sources
  "Keeps the texts of a group of files until one of their functions is needed, because loading them takes half
  as long as the start of nbb. Each file comes after its dependencies."
  [group texts]
  (swap! sources assoc group texts)
  nil)

(defn load-sources [group]
  (doseq [[named text] (get @sources group)]
    (when-not (find-ns (symbol named))
      (load-string text))))

(defn print-answer
  "Prints the answer of the function `question` of those files, a symbol, to `request`."
  [question request]
  (load-sources :questions)
  (print-json ((resolve 'lisp-harbor.answers/answer) (resolve question) request)))

(defn print-condition
  "Prints *e as one JSON object: type, message, frames."
  []
  (let [error (thrown *e)]
    (print (js/JSON.stringify
            #js {:type (type-name error) :message (message error) :frames (into-array (frames *e))}))
    (answer [*1 *2 *3])))
