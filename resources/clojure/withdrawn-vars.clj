;; The vars that a file has defined, and their removal from the image.
(ns lisp-harbor.withdrawn-vars
  (:require [clojure.java.io :as io]
            [lisp-harbor.places :as places]))

(defonce ^:private taken-out
  ;; Maps names of namespaces to removed vars by simple name. When a file defines one again, the same
  ;; var is used, because code compiled before refers to it.
  (atom {}))

(defn- same-file? [one other]
  (= (.getCanonicalPath (io/file one)) (.getCanonicalPath (io/file other))))

(defn put-back
  "Restores the removed vars of the namespace called `named`, without values."
  [named]
  (when-let [there (find-ns named)]
    (doseq [[simple var] (get @taken-out named)
            :when (nil? (ns-resolve there simple))]
      (.refer ^clojure.lang.Namespace there simple var))))

(defn defined-in
  "Returns the vars of the namespace called `named` that `file` defined, with their metadata, which each
  definition renews."
  [named file]
  (let [from-file? (memoize (fn [source] (boolean (some-> (:file (places/place source nil)) (same-file? file)))))]
    (into {} (for [var (some-> (find-ns named) ns-interns vals)
                   :let [source (:file (places/var-source var))]
                   :when (and (string? source) (from-file? source))]
               [var (meta var)]))))

(defn simple-name [var]
  (.sym ^clojure.lang.Var var))

(defn- replaced?
  "Reports whether the namespace has a different var of that name: because the namespace was created again, the
  name was unmapped, or `ns` refers to a var of clojure.core of that name again."
  [^clojure.lang.Var var]
  (let [there (some-> (find-ns (ns-name (.ns var))) ns-interns (get (simple-name var)))]
    (not (or (nil? there) (identical? there var)))))

(defn not-defined-again [before]
  (for [[var data] before
        :when (and (identical? data (meta var)) (not (replaced? var)))]
    var))

(defn taken-out? [var]
  (contains? (get @taken-out (ns-name (.ns ^clojure.lang.Var var))) (simple-name var)))

(defn take-out
  "Removes `var` from its namespace and from those that refer to it. For code compiled before it is unbound."
  [^clojure.lang.Var var]
  (let [home (.ns var)]
    (swap! taken-out assoc-in [(ns-name home) (simple-name var)] var)
    (doseq [there (all-ns)
            [named mapped] (ns-map there)
            :when (identical? mapped var)]
      (ns-unmap there named))
    (.unbindRoot var)))

(defn note-defined
  "Drops the record of removed vars that `file` has defined again."
  [named vars]
  (swap! taken-out update named #(apply dissoc % (map simple-name vars))))
