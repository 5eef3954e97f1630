;; Tests that a file does not define any more are forgotten when it is loaded again, and those of a file that is gone do
;; not run: otherwise an image would go on running what its sources have lost.
(ns lisp-harbor.withdrawn-tests
  (:require [clojure.java.io :as io]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.reports :refer [tell]]))

(defn tests-in
  "The vars of the namespace called `named` that are tests; none where there is no such namespace."
  [named]
  (when-let [there (find-ns named)]
    (filter (comp :test meta) (vals (ns-interns there)))))

(defn lost?
  "Whether `test` was loaded from a file that is nowhere any more."
  [test]
  (let [{:keys [file] :as data} (meta test)]
    (boolean (and (string? file)
                  (not (places/typed? data))
                  (nil? (places/url-of file))))))

(defn- same-file? [one other]
  (= (.getCanonicalPath (io/file one)) (.getCanonicalPath (io/file other))))

(defn- defined-in
  "The tests of the namespace called `named` that `file` defined, with their functions, which each definition makes anew."
  [named file]
  (into {} (for [test (tests-in named)
                 :let [from (:file (places/var-place test))]
                 :when (and from (same-file? from file))]
             [test (:test (meta test))])))

(defn- withdraw [test]
  (ns-unmap (ns-name (:ns (meta test))) (:name (meta test)))
  (tell :note {:text (str "The file that defined the test " (names/qualified-name test)
                          " does not any more, so it was taken out of the image.")}))

(defn withdrawing
  "Calls `work`, which loads `file` with the namespace called `named`, then forgets the tests that came from the file and
  that it has not defined again."
  [named file work]
  (let [before (when named (defined-in named file))
        answer (work)]
    (doseq [[test defined] before
            :when (identical? defined (:test (meta test)))]
      (withdraw test))
    answer))
