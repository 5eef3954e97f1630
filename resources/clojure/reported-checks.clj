;; What a framework of tests reports, alike on the JVM and in nbb, as data: counts, and each failure with its form, both values
;; and its place.
(ns lisp-harbor.reported-checks
  (:require [clojure.string :as string]
            [lisp-harbor.printing :refer [bounded]]))

(def ^:private most-failures
  "Failures of one run that are told; the others are counted."
  200)

(def none
  "Results before anything is reported. As `:omitted` they may get how many failures are left out, as `:unchecked` the vars of
  tests that ended without a check."
  {:counts {:passed 0 :failed 0 :errors 0 :skipped 0} :failures []})

(defn- checked [{:keys [counts]}]
  (reduce + (map counts [:passed :failed :errors])))

(defn- ended
  "With `test`, unless it has checked something since it began."
  [results test]
  (cond-> results
    (= (checked results) (get-in results [:begun test])) (update :unchecked (fnil conj []) test)))

(defn told
  "`results` as they are told; `named` answers the name of a test."
  [{:keys [unchecked] :as results} named]
  (cond-> (dissoc results :begun)
    unchecked (assoc :unchecked (mapv named unchecked))))

(defn noted
  "`results` with what is reported; `describe` makes a failure of it. What else begins or ends than a test means nothing here."
  [results {:keys [type] test :var :as reported} describe]
  (let [counter (get {:pass :passed, :fail :failed, :error :errors} type)]
    (cond-> results
      (= :begin-test-var type) (assoc-in [:begun test] (checked results))
      (= :end-test-var type) (ended test)
      counter (update-in [:counts counter] inc)
      (#{:fail :error} type) (as-> counted
                               (if (< (count (:failures counted)) most-failures)
                                 (update counted :failures conj (describe reported))
                                 (update counted :omitted (fnil inc 0)))))))

(defn- compared
  "Both sides, when what held not is `(not (= expected actual))`."
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
  "Of a check that did not hold: its `:test` by name, the `:file` of that, the `:contexts` around the check, and of an `:error`
  that was thrown its `:text` and the `:line` where it passed through the test."
  [{:keys [type expected actual line] :as reported} {:keys [test file contexts error]}]
  (let [[wanted had :as sides] (compared actual)
        shown (if error (:text error) (bounded actual))]
    {:test test
     :kind (if (= :error type) "error" "failed")
     :form (when (some? expected) (bounded expected))
     :expected (when sides (bounded wanted))
     :actual (if sides (bounded had) shown)
     :reason (reason reported contexts shown)
     :file file
     :line (when file (or (:line error) line))}))
