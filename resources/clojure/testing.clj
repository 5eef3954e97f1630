;; Runs tests of clojure.test: of namespaces, of a file, one by its name, or of the whole project.
;; The results are sent to the harbor.
(ns lisp-harbor.testing
  (:require [clojure.string :as string]
            [clojure.test :as test]
            [lisp-harbor.lists :refer [in-a-row likely-first]]
            [lisp-harbor.loading :as loading]
            [lisp-harbor.names :as names]
            [lisp-harbor.project :as project]
            [lisp-harbor.reports :refer [tell]]
            [lisp-harbor.test-results :refer [collect limited]]
            [lisp-harbor.withdrawn-tests :as withdrawn]))

(defn- tests-in [namespace-name]
  (sort-by (comp (juxt :line :name) meta)
           (remove withdrawn/lost? (withdrawn/tests-in namespace-name))))

(defn- test-namespaces
  "Returns the project's namespaces that use clojure.test, and other namespaces in which tests were evaluated."
  []
  (distinct (concat (sort (for [[named {:keys [needs]}] (project/namespaces)
                                :when (needs 'clojure.test)]
                            named))
                    (filter (comp seq tests-in) (sort (map ns-name (all-ns)))))))

(defn- testing-namespaces
  "Returns the namespace called `named` and its test namespace by naming convention."
  [named]
  (let [tester (symbol (str named "-test"))]
    (if (or (find-ns tester) (contains? (project/namespaces) tester))
      [named tester]
      [named])))

(defn- load-all
  "Loads the namespaces that are in files; others exist already. Returns all of them."
  [namespace-names]
  (let [in-files (filter (project/namespaces) namespace-names)]
    (when (seq in-files)
      (apply loading/load-edited in-files))
    namespace-names))

(defn- selected
  "Returns the names of the namespaces whose tests are selected."
  [{:keys [system file]}]
  (cond
    file [(symbol (or (loading/load-file file)
                      (throw (IllegalArgumentException. (str file " has no ns form, so its tests have no namespace.")))))]
    (contains? #{nil "project"} system) (load-all (test-namespaces))
    :else (let [named (symbol system)]
            (when-not (or (find-ns named) (contains? (project/namespaces) named))
              (loading/load-namespaces system))
            (load-all (testing-namespaces named)))))

(defn- called? [wanted test]
  (let [{simple :name} (meta test)]
    (or (= wanted (str simple)) (= wanted (names/qualified-name test)))))

(defn- wanted-tests
  "Returns those of `tests` that are called `names`, separated by spaces; all if it is nil."
  [tests names]
  (let [found-for (fn [wanted] (filter #(called? wanted %) tests))
        all-wanted (some-> names (string/split #" +"))
        wanted (first (remove (comp seq found-for) all-wanted))]
    (if (and (nil? wanted) (seq tests))
      (if names (distinct (mapcat found-for all-wanted)) tests)
      (throw (IllegalArgumentException.
              (if (seq tests)
                (str "There is no test " wanted ". There are: " (in-a-row 12 (likely-first wanted (map names/qualified-name tests))) ".")
                (str "There are no tests here: no namespace that is meant has a deftest."
                     (some->> (seq (filter #(re-find #"(?i)test" %) (project/elsewhere))) project/told-elsewhere (str " "))
                     (when-let [others (seq (test-namespaces))]
                       (str " Those of the project that are called like tests: " (in-a-row 12 (map str others)) ".")))))))))

(defn- run-namespace
  "Runs the namespace's test hook if it has one and all its tests are selected. Otherwise runs the tests with
  their fixtures."
  [there tests whole]
  (let [hook (when whole (get (ns-interns there) 'test-ns-hook))]
    (try (if hook (hook) (test/test-vars tests))
         (catch Exception error
           (binding [test/*testing-vars* (list (first tests))]
             (test/do-report {:type :error
                              :message "A fixture failed, or the hook of the namespace."
                              :actual error}))))))

(defn run
  "Runs the tests of `:system`, a namespace with its test namespace, of `:file`, or of the whole project; of
  these only `:test` if given, each for at most `:seconds`. Loads edited code first. Returns the counts."
  [{wanted :test :keys [seconds] :or {seconds 60} :as target}]
  (let [all (mapcat tests-in (selected target))
        tests (wanted-tests all wanted)
        {:keys [counts] :as results}
        (collect (count tests)
                 #(binding [test/test-var (limited test/test-var seconds)]
                    (doseq [[there tests] (group-by (comp :ns meta) tests)]
                      (run-namespace there tests (nil? wanted)))))]
    (tell :tests (assoc results :framework "clojure.test" :tests (map names/qualified-name tests)))
    counts))
