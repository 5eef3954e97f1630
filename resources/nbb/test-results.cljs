;; Reports of cljs.test, collected as data.
(ns lisp-harbor.test-results
  (:require [cljs.test :as test]
            [clojure.string :as string]
            [lisp-harbor.image :as image]
            [lisp-harbor.reported-checks :as checks]))

(def ^:private results (atom nil))

(defn qualified-name [var]
  (let [{there :ns simple :name} (meta var)]
    (str there "/" simple)))

(defn- place-text [{:keys [file line column]}]
  (when line
    (str " at " (string/join ":" (remove nil? [(some-> (image/own-file file) image/short-file) line column])))))

(defn- line-in-test
  "Returns the line at which the calls that led to `error` pass through the namespace of the test."
  [error test]
  (let [there (str (:ns (meta test)))]
    (some #(when (= there (str (:ns %))) (:line %)) (image/stack error))))

(defn- error-in [test error]
  (let [thrown (image/thrown error)]
    {:text (str (image/type-name thrown) ": " (image/message thrown) (place-text (ex-data error)))
     :line (line-in-test error test)}))

(defn- failure [{:keys [actual] :as reported}]
  (let [test (first (:testing-vars (test/get-current-env)))]
    (checks/failure reported {:test (if test (qualified-name test) "a fixture")
                              :file (image/own-file (:file (meta test)))
                              :contexts (test/testing-contexts-str)
                              :error (when (instance? js/Error actual) (error-in test actual))})))

(doseq [type [:pass :fail :error
              :begin-run-tests :begin-test-ns :begin-test-vars :begin-test-var :end-test-var :end-test-vars :end-test-ns
              :begin-test-all-vars :end-test-all-vars :end-run-tests :summary]]
  (defmethod test/report [::collected type] [reported] (swap! results checks/noted reported failure)))

(defn collect
  "Runs `blocks` of cljs.test one after another, and waits for asynchronous ones. Returns a promise of the
  reports."
  [blocks]
  (reset! results checks/none)
  ;; No `try` around the tests: inside `try` SCI records no locations of errors.
  (-> (js/Promise. (fn [resolve]
                     (test/set-env! (test/empty-env ::collected))
                     (test/run-block (concat blocks [(fn [] (resolve (checks/told @results qualified-name)))]))))
      (.finally test/clear-env!)))
