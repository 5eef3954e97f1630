;; Runs tests of cljs.test: of namespaces, of a file, one by its name, or of the whole project. The
;; results are sent to the harbor.
(ns lisp-harbor.testing
  (:require [cljs.test :as test]
            [clojure.string :as string]
            [lisp-harbor.image :as image]
            [lisp-harbor.lists :refer [in-a-row likely-first]]
            [lisp-harbor.loading :as loading]
            [lisp-harbor.sources :as sources]
            [lisp-harbor.test-results :refer [collect qualified-name]]
            [nbb.core :as nbb]))

(defn- tests-in [named]
  (sort-by (comp (juxt :line :name) meta)
           (filter (comp :test meta) (vals (some-> (find-ns named) ns-interns)))))

(defn- test-namespaces
  "Returns the project's namespaces that use cljs.test, and other namespaces in which tests were evaluated."
  []
  (distinct (concat (for [{named :name :keys [needs]} (sources/project-sources)
                          :when (some needs '[cljs.test clojure.test])]
                      named)
                    (filter (comp seq tests-in) (sort (map ns-name (all-ns)))))))

(defn- testing-namespaces
  "Returns the namespace called `named` and its test namespace by naming convention."
  [named]
  (let [tester (symbol (str named "-test"))]
    (if (or (find-ns tester) (sources/source-of tester)) [named tester] [named])))

(defn- load-edited
  "Loads the namespaces that are in files; others exist already. Returns a promise of all of them."
  [names]
  (.then (loading/load-meant (filter sources/source-of names) [])
         (constantly names)))

(defn- selected
  "Returns a promise of the names of the namespaces whose tests are selected."
  [{:keys [system file]}]
  (cond
    file (.then (loading/load-path file)
                #(if % [(symbol %)] (throw (js/Error. (str file " has no ns form, so its tests have no namespace.")))))
    (contains? #{nil "project"} system) (load-edited (test-namespaces))
    :else (let [named (symbol system)]
            (.then (if (find-ns named) (js/Promise.resolve nil) (loading/load-meant [named] []))
                   #(load-edited (testing-namespaces named))))))

(defn- called? [wanted test]
  (or (= wanted (str (:name (meta test)))) (= wanted (qualified-name test))))

(defn- wanted-tests
  "Returns those of `tests` that are called `names`, separated by spaces; all if it is nil."
  [tests names]
  (let [found-for (fn [wanted] (filter #(called? wanted %) tests))
        all-wanted (some-> names (string/split #" +"))
        wanted (first (remove (comp seq found-for) all-wanted))]
    (if (and (nil? wanted) (seq tests))
      (if names (distinct (mapcat found-for all-wanted)) tests)
      (throw (js/Error. (if (seq tests)
                          (str "There is no test " wanted ". There are: " (in-a-row 12 (likely-first wanted (map qualified-name tests))) ".")
                          "There are no tests here: no namespace that is meant has a deftest."))))))

(defn- blocks-of
  "Returns the test hook of a namespace if it has one and all its tests are selected, otherwise the tests with
  their fixtures."
  [tests whole]
  (mapcat (fn [[there tests]]
            (if-let [hook (when whole (get (ns-interns there) 'test-ns-hook))]
              [(fn [] (hook) nil)]
              (test/test-vars-block tests)))
          (group-by (comp :ns meta) tests)))

(defn- run-tests [names wanted seconds]
  (let [tests (wanted-tests (mapcat tests-in names) wanted)]
    (.then (collect (blocks-of tests (nil? wanted)) {:count (count tests) :seconds seconds})
           (fn [{:keys [counts] :as results}]
             (image/tell :tests (assoc results :framework "cljs.test" :tests (map qualified-name tests)))
             counts))))

(defn run
  "Runs the tests of `:system`, a namespace with its test namespace, of `:file`, or of the whole project; of
  these only `:test` if given, asynchronous ones for at most `:seconds`. Loads edited code first. Returns a promise of
  the counts."
  [{wanted :test :keys [seconds] :or {seconds 60} :as target}]
  (nbb/await (.then (selected target) #(run-tests % wanted seconds))))
