;; What the harbor asks an nbb image beside evaluating: about the last error, and where it is.
;; None of it may show in the session: *1, *2, *3 and *e are afterwards what they were before.
(ns lisp-harbor.image)

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

(defn- thrown
  "What the code threw: SCI wraps it to add a line and a column."
  [error]
  (if (= :sci/error (:type (ex-data error)))
    (or (ex-cause error) error)
    error))

(defn- type-name [error]
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

(defn- message [error]
  (if-let [text (ex-message error)]
    (if-let [data (own-data error)] (str text " " data) text)
    (pr-str error)))

(defn- frame [{:keys [ns line column f-meta]}]
  (str (if-let [name (:name f-meta)]
         (str (or (:ns f-meta) ns) "/" name)
         (str ns))
       (when line (str " (line " line ", column " column ")"))))

(defn- frames
  "Innermost first; SCI notes a call more than once."
  [error]
  (some->> (:sci.impl/callstack (ex-data error)) deref (map frame) dedupe reverse))

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

(def ^:private sources (atom {}))

(defn keep-sources
  "Keeps the texts of the files that answer questions until somebody asks: to load them takes half as long as nbb takes to
  start. Each comes after those that it needs."
  [texts]
  (reset! sources texts)
  nil)

(defn- load-sources []
  (doseq [[named text] @sources]
    (when-not (find-ns (symbol named))
      (load-string text))))

(defn print-answer
  "Prints what the function `question` of those files, a symbol, answers to `request`."
  [question request]
  (load-sources)
  (print-json ((resolve 'lisp-harbor.answers/answer) (resolve question) request)))

(defn print-condition
  "Prints *e as one JSON object: type, message, frames."
  []
  (let [error (thrown *e)]
    (print (js/JSON.stringify
            #js {:type (type-name error) :message (message error) :frames (into-array (frames *e))}))
    (answer [*1 *2 *3])))
