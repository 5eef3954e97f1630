;; Excludes tests of deleted files. Definitions that a file no longer contains are handled in
;; withdrawn.clj.
(ns lisp-harbor.withdrawn-tests
  (:require [lisp-harbor.places :as places]))

(defn tests-in
  "Returns the vars of the namespace called `named` that are tests. Empty if there is no such namespace."
  [named]
  (when-let [there (find-ns named)]
    (filter (comp :test meta) (vals (ns-interns there)))))

(defn lost?
  "Reports whether `test` was loaded from a file that no longer exists."
  [test]
  (let [{:keys [file] :as data} (meta test)]
    (boolean (and (string? file)
                  (not (places/typed? data))
                  (nil? (places/url-of file))))))
