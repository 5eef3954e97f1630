;; What cljs.test reports, collected as data: counts, and each failure with its form, both values and its place.
(ns lisp-harbor.test-results
  (:require [cljs.test :as test]
            [clojure.string :as string]
            [lisp-harbor.image :as image]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private results (atom nil))

(def ^:private most-failures
  "Failures of one run that are told; the others are counted."
  200)

(defn qualified-name [var]
  (let [{there :ns simple :name} (meta var)]
    (str there "/" simple)))

(defn- compared
  "Both sides, when what held not is `(not (= expected actual))`."
  [actual]
  (when (and (seq? actual) (= 'not (first actual)) (seq? (second actual)))
    (let [[operator :as form] (second actual)]
      (when (and (= '= operator) (= 3 (count form)))
        (rest form)))))

(defn- place-text [{:keys [file line column]}]
  (when line
    (str " at " (string/join ":" (remove nil? [(some-> (image/own-file file) image/short-file) line column])))))

(defn- error-text [error]
  (let [thrown (image/thrown error)]
    (str (image/type-name thrown) ": " (image/message thrown) (place-text (ex-data error)))))

(defn- error? [value]
  (instance? js/Error value))

(defn- shown [actual]
  (if (error? actual) (error-text actual) (bounded actual)))

(defn- line-in-test
  "Where the calls that led to `error` pass through the namespace of the test."
  [error test]
  (let [there (str (:ns (meta test)))]
    (some #(when (= there (str (:ns %))) (:line %)) (image/stack error))))

(defn- unthrown? [{:keys [expected actual]}]
  (and (nil? actual) (seq? expected) (contains? '#{thrown? thrown-with-msg?} (first expected))))

(defn- reason [{:keys [message actual] :as reported}]
  (let [told (remove string/blank? [(test/testing-contexts-str) message])]
    (cond
      (seq told) (string/join ": " told)
      (unthrown? reported) "nothing was thrown"
      :else (shown actual))))

(defn- failure [{:keys [type expected actual line] :as reported} var]
  (let [[wanted had :as sides] (compared actual)
        file (image/own-file (:file (meta var)))]
    {:test (if var (qualified-name var) "a fixture")
     :kind (if (= :error type) "error" "failed")
     :form (when (some? expected) (bounded expected))
     :expected (when sides (bounded wanted))
     :actual (if sides (bounded had) (shown actual))
     :reason (reason reported)
     :file file
     :line (when file (or (when (error? actual) (line-in-test actual var)) line))}))

(defn- note [{:keys [type] :as reported}]
  (swap! results update-in [:counts (get {:pass :passed, :fail :failed, :error :errors} type)] inc)
  (when (not= :pass type)
    (if (< (count (:failures @results)) most-failures)
      (swap! results update :failures conj (failure reported (first (:testing-vars (test/get-current-env)))))
      (swap! results update :omitted (fnil inc 0)))))

;; The others begin or end something, and mean nothing here.
(doseq [type [:begin-run-tests :begin-test-ns :begin-test-vars :begin-test-var :end-test-var :end-test-vars :end-test-ns
              :begin-test-all-vars :end-test-all-vars :end-run-tests :summary]]
  (defmethod test/report [::collected type] [_]))
(doseq [type [:pass :fail :error]]
  (defmethod test/report [::collected type] [reported] (note reported)))

(defn collect
  "Runs `blocks` of cljs.test one after another, those that are asynchronous to their end. Answers a promise of what was
  reported: `:counts`, `:failures`, and as `:omitted` how many of these are left out."
  [blocks]
  (reset! results {:counts {:passed 0 :failed 0 :errors 0 :skipped 0} :failures []})
  ;; No `try` around what runs: inside of one SCI notes no places of errors.
  (-> (js/Promise. (fn [resolve]
                     (test/set-env! (test/empty-env ::collected))
                     (test/run-block (concat blocks [(fn [] (resolve @results))]))))
      (.finally test/clear-env!)))
