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

(def ^:private throwing "Where SCI fails when nil is thrown." (atom nil))

(defn- calling-place [error]
  (second (re-find #"\n\s+at ([^\n]+)" (str (.-stack error)))))

(defn learn-throwing
  "Learns from `error`, which SCI threw because nil was thrown, how to recognize others."
  [error]
  (reset! throwing (calling-place (or (ex-cause error) error)))
  nil)

(defn- nothing-thrown
  "Returns `nil` or `undefined` as text if the code threw that. SCI then fails to read its message; image.mjs
  replaces it where a promise is rejected."
  [error]
  (when (instance? js/Error error)
    (or (.-lispHarborNothing error)
        (when-let [[_ nothing] (re-find #"^Cannot read properties of (null|undefined) \(reading 'message'\)$"
                                        (str (.-message error)))]
          (when (= @throwing (calling-place error))
            (if (= nothing "null") "nil" nothing))))))

(defn thrown
  "Returns the value that the code threw. SCI wraps it to add a line and a column, and drops false."
  [error]
  (if (= :sci/error (:type (ex-data error)))
    (cond
      (some? (ex-cause error)) (ex-cause error)
      (nil? (ex-message error)) false
      :else error)
    error))

(defn type-name [error]
  (cond
    (nothing-thrown error) "thrown value"
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

;; Printing of values. Most are finite and small, and `pr-str` prints them. Of an infinite, circular or very
;; large value only a part is printed.

(def ^:private most-parts "Maximum number of parts that are counted before a value is printed in part." 20000)
(def ^:private deepest 100)
(def ^:private most-shown "Maximum number of elements of a collection that is printed in part." 1000)
(def ^:private most-characters 65536)

(defn- plain-object? [value]
  (and (object? value) (identical? js/Object (.-constructor value))))

(def ^:private boxes "The types whose printer shows the value inside." #{(type (atom nil)) (type (volatile! nil))})

(def ^:private delayed (type (delay nil)))

(defn- reference?
  "Reports whether a printer shows the value that `value` refers to."
  [value]
  (let [type (type value)]
    (or (contains? boxes type)
        (and (identical? type delayed) (realized? value)))))

(defn- parts
  "Returns what is printed inside `value`; nil for a value without parts."
  [value]
  (cond
    (string? value) nil
    (map? value) (mapcat identity value)
    (coll? value) (seq value)
    (array? value) (seq value)
    (plain-object? value) (map (fn [key] (unchecked-get value key)) (js-keys value))
    (reference? value) (list @value)))

(defn- small?
  "Reports whether `value` is finite, without cycles, and has at most `most-parts` parts."
  [value]
  (let [budget (volatile! most-parts)]
    (letfn [(within? [value depth]
              (and (<= depth deepest)
                   (<= 0 (vswap! budget dec))
                   (every? (fn [part] (within? part (inc depth))) (parts value))))]
      (within? value 0))))

(defn- delimiters [value]
  (cond
    (map? value) ["{" "}"]
    (vector? value) ["[" "]"]
    (set? value) ["#{" "}"]
    (array? value) ["#js [" "]"]
    (plain-object? value) ["#js {" "}"]
    (reference? value) ["#object[" "]"]
    :else ["(" ")"]))

(defn- print-part
  "Adds the text of `value` to the array `texts` until `budget`, a volatile with a number of characters, is spent."
  [value depth texts budget]
  (letfn [(add [text]
            (vswap! budget - (count text))
            (.push texts text))]
    (let [inside (parts value)
          [open close] (when inside (delimiters value))]
      (cond
        (neg? @budget) nil
        (nil? inside) (add (pr-str value))
        (> depth 20) (add "#")
        :else
        (do (add open)
            (loop [left inside, number 0]
              (when-let [[part] (seq left)]
                (when (pos? number) (add " "))
                (if (or (>= number most-shown) (neg? @budget))
                  (add "...")
                  (do (print-part part (inc depth) texts budget)
                      (recur (rest left) (inc number))))))
            (add close))))))

(defn- partial-text [value]
  (let [texts #js []]
    (print-part value 0 texts (volatile! most-characters))
    (.join texts "")))

(defn brief-error
  "Returns the text of an error with very large data; nil for other errors."
  [error]
  (when-not (every? (comp small? ex-data) (take deepest (take-while some? (iterate ex-cause error))))
    (str "#error {:message " (pr-str (ex-message error)) ", :data ...}")))

(defn shown-in-part
  "Returns the printed text of `value` in part if it is infinite, circular or very large; nil for any other."
  [value]
  (when-not (small? value) (partial-text value)))

(defn shown [value]
  (or (shown-in-part value) (pr-str value)))

(defn message [error]
  (or (nothing-thrown error)
      (if-let [text (ex-message error)]
        (if-let [data (own-data error)] (str text " " data) text)
        (shown error))))

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

(defn show-value
  "Reports the text of the last value, or that printing it threw *e. If `settled?` is true, the last value was a
  promise, and its value, which the server has awaited, becomes *1."
  [settled?]
  (let [value (if settled? (.-lispHarborSettled js/globalThis) *1)
        history [value *2 *3]]
    (try
      (tell :value {:text (shown value)})
      (catch :default error
        (alter-var-root #'*e (constantly error))
        (tell :value {:problem (str (message (thrown error)))})))
    (answer history)))

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
