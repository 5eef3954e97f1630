;; The vars that a file has defined, and taking them out of the image.
(ns lisp-harbor.withdrawn-vars
  (:require [clojure.java.io :as io]
            [lisp-harbor.places :as places]))

(defonce ^:private taken-out
  ;; From the names of namespaces to vars that were taken out, by their simple names: when a file defines one again it is
  ;; the same var, which code that was compiled before refers to.
  (atom {}))

(defn- same-file? [one other]
  (= (.getCanonicalPath (io/file one)) (.getCanonicalPath (io/file other))))

(defn put-back
  "Has the namespace called `named` know again what was taken out of it, without values."
  [named]
  (when-let [there (find-ns named)]
    (doseq [[simple var] (get @taken-out named)
            :when (nil? (ns-resolve there simple))]
      (.refer ^clojure.lang.Namespace there simple var))))

(defn defined-in
  "The vars of the namespace called `named` that `file` defined, with their metadata, which each definition makes anew."
  [named file]
  (let [from-file? (memoize (fn [source] (boolean (some-> (:file (places/place source nil)) (same-file? file)))))]
    (into {} (for [var (some-> (find-ns named) ns-interns vals)
                   :let [source (:file (places/var-source var))]
                   :when (and (string? source) (from-file? source))]
               [var (meta var)]))))

(defn simple-name [var]
  (.sym ^clojure.lang.Var var))

(defn- replaced?
  "Whether its namespace has another var of that name: of a namespace that was made anew, of a name that was unmapped, or of
  one that clojure.core has too, which `ns` refers to again."
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
  "Takes `var` from its namespace and from those that refer to it; code that was compiled before finds it without a value."
  [^clojure.lang.Var var]
  (let [home (.ns var)]
    (swap! taken-out assoc-in [(ns-name home) (simple-name var)] var)
    (doseq [there (all-ns)
            [named mapped] (ns-map there)
            :when (identical? mapped var)]
      (ns-unmap there named))
    (.unbindRoot var)))

(defn note-defined
  "Forgets that what `file` has defined again was taken out."
  [named vars]
  (swap! taken-out update named #(apply dissoc % (map simple-name vars))))
