;; What the harbor asks an nbb image beside evaluating: about the last error, where it is, what a promise came to.
;; None of it may show in the session: *1, *2, *3 and *e are afterwards what they were before.
(ns lisp-harbor.image
  (:require [clojure.string :as string]))

(def ^:private kept (atom nil))

(defn- answer
  "Leaves *1, *2 and *3 as `history` says. The server puts the value of each form in front of them, so the value
  to answer is the first of them."
  [[value-1 value-2 value-3]]
  (alter-var-root #'*1 (constantly value-2))
  (alter-var-root #'*2 (constantly value-3))
  value-1)

(defn keep-history
  "First of three forms: `(keep-history 'there)` `(ns there)` `(restore-history)` goes to a namespace that exists."
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
  "What the code threw: SCI wraps it to add a line and a column."
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
  "The data that the code gave to ex-info, if any, as text."
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
  "The file of a place, where it is one of somebody's: SCI has its own files by relative names, and others have none."
  [file]
  (when (and (string? file) (re-find #"^([/\\\\]|[A-Za-z]:)" file))
    file))

(defn stack
  "The calls that led to an error, innermost first; SCI notes a call more than once."
  [error]
  (some->> (:sci.impl/callstack (ex-data error)) deref reverse))

(defn short-file
  "A file of the project by its name there."
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
  "JSON of the harbor has no entries without a value."
  [data]
  (cond
    (map? data) (into {} (for [[key item] data :when (some? item)] [key (without-nil item)]))
    (sequential? data) (mapv without-nil data)
    :else data))

(defn- print-json
  "Prints `data` as JSON, on a line of its own: values that were looked at may have printed something."
  [data]
  (print "\n")
  (print (js/JSON.stringify (clj->js (without-nil data))))
  (answer [*1 *2 *3]))

(def ^:private telling (atom nil))

(defn tell-by
  "Whatever is told goes to the function `send`, as JSON."
  [send]
  (reset! telling send)
  nil)

(defn tell
  "Tells the harbor what an evaluation loads and tests while it goes on, beside its values and its output. `event` is a keyword,
  `data` a map."
  [event data]
  (@telling (js/JSON.stringify (clj->js (without-nil (assoc data :event event))))))

(defn print-settled
  "First of two forms: `(print-settled)` `(restore-history)` prints what the promise came to that was the last value, on which
  the server has waited; from then on that is *1. Prints nothing where there was none."
  []
  (reset! kept [*1 *2 *3])
  (when (instance? js/Promise *1)
    (.then *1 (fn [value]
                (swap! kept assoc 0 value)
                (print (pr-str value))))))

(def ^:private sources (atom {}))

(defn keep-sources
  "Keeps the texts of a group of files until somebody asks for what they do: to load them takes half as long as nbb takes to
  start. Each comes after those that it needs."
  [group texts]
  (swap! sources assoc group texts)
  nil)

(defn load-sources [group]
  (doseq [[named text] (get @sources group)]
    (when-not (find-ns (symbol named))
      (load-string text))))

(defn print-answer
  "Prints what the function `question` of those files, a symbol, answers to `request`."
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
