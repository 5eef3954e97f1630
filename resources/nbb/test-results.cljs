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

(def ^:private planned (atom 0))

(defn- take-report [{:keys [type var] :as reported}]
  (when (= :begin-test-var type)
    (image/tell :testing (assoc (checks/begun @results (qualified-name var)) :framework "cljs.test" :planned @planned)))
  (swap! results checks/noted reported failure))

(doseq [type [:pass :fail :error
              :begin-run-tests :begin-test-ns :begin-test-vars :begin-test-var :end-test-var :end-test-vars :end-test-ns
              :begin-test-all-vars :end-test-all-vars :end-run-tests :summary]]
  (defmethod test/report [::collected type] [reported] (take-report reported)))

(def ^:private asynchronous "The type of an asynchronous test." (type (test/async done (done))))

(defn- ended-in-time
  "Returns an asynchronous test that does the same as `test`, but ends after `seconds` at the latest."
  [test seconds]
  (test/async done
    (let [left (atom true)
          end #(when (compare-and-set! left true false) (done))
          timer (js/setTimeout
                 (fn []
                   (when @left
                     (test/report {:type :error
                                   :line (:line (meta (first (:testing-vars (test/get-current-env)))))
                                   :message (str "It did not end within " seconds " s, and the run went on. "
                                                 "limit_ms sets another limit for each test.")})
                     (end)))
                 (* 1000 seconds))]
      (test (fn [] (js/clearTimeout timer) (end))))))

(defn- limited
  "Returns a block that does the same as `block`, but ends asynchronous tests after `seconds`."
  [block seconds]
  (fn []
    (let [result (block)]
      (cond
        (identical? asynchronous (type result)) (ended-in-time result seconds)
        (:cljs.test/block? (meta result)) (with-meta (map #(limited % seconds) result) (meta result))
        :else result))))

(defn collect
  "Runs `blocks` of cljs.test, of `count` tests, one after another, and waits at most `seconds` for an asynchronous one.
  Returns a promise of the reports."
  [blocks {:keys [count seconds]}]
  (reset! results checks/none)
  (reset! planned count)
  ;; No `try` around the tests: inside `try` SCI records no locations of errors.
  (-> (js/Promise. (fn [resolve]
                     (test/set-env! (test/empty-env ::collected))
                     (test/run-block (concat (map #(limited % seconds) blocks)
                                             [(fn [] (resolve (checks/told @results qualified-name)))]))))
      (.finally test/clear-env!)))
