;; Reports of clojure.test, collected as data.
(ns lisp-harbor.test-results
  (:require [clojure.string :as string]
            [clojure.test :as test]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]
            [lisp-harbor.reported-checks :as checks]))

(defn- exception-text [^Throwable error]
  (str (.getName (class error)) ": " (message-of error)
       (when-let [data (ex-data error)] (str " " (bounded data)))))

(defn- line-in-test
  "Returns the line at which the stack of `error` passes through the namespace of the test."
  [^Throwable error test]
  (let [prefix (namespace-munge (str (ns-name (:ns (meta test)))))]
    (some #(when (string/starts-with? (.getClassName ^StackTraceElement %) prefix)
             (.getLineNumber ^StackTraceElement %))
          (.getStackTrace error))))

(defn- described
  "Reports it if the project's code fails while the compared values are described."
  [{:keys [actual] :as reported}]
  (let [test (first test/*testing-vars*)]
    (try (checks/failure reported {:test (names/qualified-name test)
                                   :file (:file (places/var-place test))
                                   :contexts (test/testing-contexts-str)
                                   :error (when (instance? Throwable actual)
                                            {:text (exception-text actual) :line (line-in-test actual test)})})
         (catch Throwable error
           {:test (names/qualified-name test)
            :kind "error"
            :reason (str "A check did not hold, and could not be described: "
                         (.getName (class error)) ": " (message-of error))}))))

(defn collect
  "Calls `work`, which runs tests, and returns the reports of clojure.test. Only the tests themselves print."
  [work]
  (let [results (atom checks/none)]
    (binding [test/report #(swap! results checks/noted % described)
              test/*test-out* *out*]
      (work))
    (checks/told @results names/qualified-name)))
