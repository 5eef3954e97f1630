;; What clojure.test reports, collected as data: counts, and each failure with its form, both values and its place.
(ns lisp-harbor.test-results
  (:require [clojure.string :as string]
            [clojure.test :as test]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded message-of]]))

(defn- exception-text [^Throwable error]
  (str (.getName (class error)) ": " (message-of error)
       (when-let [data (ex-data error)] (str " " (bounded data)))))

(defn- compared
  "Both sides, when what held not is `(not (= expected actual))`."
  [actual]
  (when (and (seq? actual) (= 'not (first actual)) (seq? (second actual)))
    (let [[operator :as form] (second actual)]
      (when (and (= '= operator) (= 3 (count form)))
        (rest form)))))

(defn- shown [actual]
  (if (instance? Throwable actual) (exception-text actual) (bounded actual)))

(defn- line-in-test
  "Where the stack of `error` passes through the namespace of the test."
  [^Throwable error test]
  (let [prefix (namespace-munge (str (ns-name (:ns (meta test)))))]
    (some #(when (string/starts-with? (.getClassName ^StackTraceElement %) prefix)
             (.getLineNumber ^StackTraceElement %))
          (.getStackTrace error))))

(defn- unthrown? [{:keys [expected actual]}]
  (and (nil? actual) (seq? expected) (contains? '#{thrown? thrown-with-msg?} (first expected))))

(defn- reason [{:keys [message actual] :as reported}]
  (let [told (remove string/blank? [(test/testing-contexts-str) message])]
    (cond
      (seq told) (string/join ": " told)
      (unthrown? reported) "nothing was thrown"
      :else (shown actual))))

(defn- failure
  "Of what clojure.test reports about an assertion of `test`."
  [{:keys [type expected actual line] :as reported} test]
  (let [[wanted had :as sides] (compared actual)
        thrown? (instance? Throwable actual)
        file (:file (places/var-place test))]
    {:test (names/qualified-name test)
     :kind (if (= :error type) "error" "failed")
     :form (when (some? expected) (bounded expected))
     :expected (when sides (bounded wanted))
     :actual (if sides (bounded had) (shown actual))
     :reason (reason reported)
     :file file
     :line (when file (or (when thrown? (line-in-test actual test)) line))}))

(defn- described
  "As `failure`; where the code of the project fails while it is asked, that is told."
  [reported test]
  (try (failure reported test)
       (catch Throwable error
         {:test (names/qualified-name test)
          :kind "error"
          :reason (str "A check did not hold, and could not be described: "
                       (.getName (class error)) ": " (message-of error))})))

(def ^:private most-failures
  "Failures of one run that are told; the others are counted."
  200)

(defn- counted [counts {:keys [type]}]
  (if-let [counter (get {:pass :passed, :fail :failed, :error :errors} type)]
    (update counts counter inc)
    counts))

(defn collect
  "Calls `work`, which runs tests, and answers what clojure.test reported: `:counts`, `:failures`, and as `:omitted` how many
  of these are left out. Nothing is printed but what the tests print."
  [work]
  (let [results (atom {:counts {:passed 0 :failed 0 :errors 0 :skipped 0} :failures []})
        note (fn [{:keys [type] :as reported}]
               (swap! results update :counts counted reported)
               (when (#{:fail :error} type)
                 (if (< (count (:failures @results)) most-failures)
                   (swap! results update :failures conj (described reported (first test/*testing-vars*)))
                   (swap! results update :omitted (fnil inc 0)))))]
    (binding [test/report note
              test/*test-out* *out*]
      (work))
    @results))
