;; Tests of a file that is gone do not run. What a file does not define any more is withdrawn.clj's.
(ns lisp-harbor.withdrawn-tests
  (:require [lisp-harbor.places :as places]))

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
