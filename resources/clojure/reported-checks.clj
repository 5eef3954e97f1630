;; Reports of a test framework as data, shared by the JVM and nbb: counts, and each failure with its
;; form, both values and its location.
(ns lisp-harbor.reported-checks
  (:require [clojure.string :as string]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private most-failures
  "Maximum number of failures of one run that are sent. The others are counted."
  200)

(def none
  "The initial results. May get `:omitted`, the number of omitted failures, `:beyond`, the vars of tests with such
  ones, `:unchecked`, the vars of tests that ended without a check, `:current`, the var of the test that runs, and
  `:sent`, the number of failures that `begun` has returned."
  {:counts {:passed 0 :failed 0 :errors 0 :skipped 0} :failures []})

(defn- checked [{:keys [counts]}]
  (reduce + (map counts [:passed :failed :errors])))

(defn- ended
  "Returns `results` with `test` added to `:unchecked` unless it has checked something since it began."
  [results test]
  (cond-> results
    (= (checked results) (get-in results [:begun test])) (update :unchecked (fnil conj []) test)))

(defn told
  "Returns `results` in the form that is sent. `named` returns the name of a test."
  [{:keys [unchecked beyond failures] :as results} named]
  (let [also (remove (set (map :test failures)) (map named beyond))]
    (cond-> (dissoc results :begun :current :sent :beyond)
      unchecked (assoc :unchecked (mapv named unchecked))
      (seq also) (assoc :alsoFailed (vec also)))))

(defn begun
  "Returns the report that the test `named` begins, with the failures that no earlier one had."
  [{:keys [counts failures sent]} named]
  {:test named :counts counts :failures (subvec failures (or sent 0))})

(defn noted
  "Returns `results` with a report added. `describe` makes a failure of it. Begin and end reports other than
  those of tests are ignored."
  [results {:keys [type] test :var :as reported} describe]
  (let [counter (get {:pass :passed, :fail :failed, :error :errors} type)]
    (cond-> results
      (= :begin-test-var type) (-> (assoc-in [:begun test] (checked results))
                                   (assoc :current test :sent (count (:failures results))))
      (= :end-test-var type) (ended test)
      counter (update-in [:counts counter] inc)
      (#{:fail :error} type) (as-> counted
                               (if (< (count (:failures counted)) most-failures)
                                 (update counted :failures conj (describe reported))
                                 (-> (update counted :omitted (fnil inc 0))
                                     (update :beyond (fnil #(if (= %2 (peek %1)) %1 (conj %1 %2)) []) (:current counted))))))))

(defn- compared
  "Returns both sides if the failed value is `(not (= expected actual))`."
  [actual]
  (when (and (seq? actual) (= 'not (first actual)) (seq? (second actual)))
    (let [[operator :as form] (second actual)]
      (when (and (= '= operator) (= 3 (count form)))
        (rest form)))))

(defn- unthrown? [{:keys [expected actual]}]
  (and (nil? actual) (seq? expected) (contains? '#{thrown? thrown-with-msg?} (first expected))))

(defn- reason [{:keys [message] :as reported} contexts shown]
  (let [told (remove string/blank? [contexts message])]
    (cond
      (seq told) (string/join ": " told)
      (unthrown? reported) "nothing was thrown"
      :else shown)))

(defn failure
  "Returns the data of a failed check: its `:test` by name, the `:file` of that, the `:contexts` around the
  check, and for a thrown `:error` its `:text` and the `:line` of the test that it passed through."
  [{:keys [type expected actual line] :as reported} {:keys [test file contexts error]}]
  (let [[wanted had :as sides] (compared actual)
        shown (cond
                error (:text error)
                (and (= :error type) (nil? actual)) nil
                :else (bounded actual))]
    {:test test
     :kind (if (= :error type) "error" "failed")
     :form (when (some? expected) (bounded expected))
     :expected (when sides (bounded wanted))
     :actual (if sides (bounded had) shown)
     :reason (reason reported contexts shown)
     :file file
     :line (when file (or (:line error) line))}))
