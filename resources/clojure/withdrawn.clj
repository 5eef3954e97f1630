;; Definitions that a reloaded file no longer contains are removed from the image. Otherwise an image
;; would continue to run code that is no longer in the sources. In an attached server they are
;; reported and stay, except tests, which would run.
(ns lisp-harbor.withdrawn
  (:require [clojure.java.io :as io]
            [clojure.string :as string]
            [lisp-harbor.names :as names]
            [lisp-harbor.reports :refer [tell]]
            [lisp-harbor.uses :as uses]
            [lisp-harbor.withdrawn-methods :as methods]
            [lisp-harbor.withdrawn-names :as foreign]
            [lisp-harbor.withdrawn-vars :as vars]
            [lisp-harbor.written :refer [written?]]))

(def ^:private ours? (= "own" (System/getProperty "lisp-harbor.image")))

(def ^:private named-at-most 20)

(defn- listed [texts]
  (let [more (- (count texts) named-at-most)]
    (str (string/join ", " (take named-at-most texts))
         (when (pos? more) (str " and " more " more")))))

(defn- use-text [{:keys [text source]}]
  (str text " (" (:file source) ":" (:line source) ")"))

(defn- tell-lost [file vars methods used]
  (doseq [test (filter (comp :test meta) vars)]
    (tell :note {:text (str "The file that defined the test " (names/qualified-name test)
                            " does not any more, so it was taken out of the image.")}))
  (let [lost (concat (map names/qualified-name (remove (comp :test meta) vars))
                     (map methods/describe methods))]
    (when (seq lost)
      (tell :note {:text (if ours?
                           (str file " no longer defines " (listed lost) ", so this was taken out of the image."
                                (when (seq used) (str " It is still used by " (listed used) ".")))
                           (str (listed lost) " is still defined in this server, but " file
                                " no longer defines it; a fresh one will not have it."))}))))

(defn- withdraw
  "Removes the definitions that `file` no longer contains, or reports them. Returns whether the namespace's
  source still uses them."
  [named file before methods]
  (let [candidates (vars/not-defined-again before)
        there (the-ns named)
        forms (when (seq candidates) (uses/forms-of (io/as-url (io/file file)) there))
        lost (doall (remove #(written? forms there (vars/simple-name %)) candidates))
        new (doall (remove vars/taken-out? lost))
        used (doall (distinct (mapcat uses/places-using lost)))
        lost-methods (doall (when methods (methods/lost named file methods)))]
    (run! vars/take-out (if ours? lost (filter (comp :test meta) lost)))
    (when ours? (run! methods/take-out lost-methods))
    (tell-lost file new lost-methods (map use-text used))
    (and ours? (boolean (some #(= (str named) (first (string/split (:text %) #"/"))) used)))))

(defn- methods-before
  "Returns the existing methods, if the source may create or has created any."
  [file]
  (when (or (methods/made-by? file)
            (re-find #"\((?:\S+/)?(?:defmethod|extend)" (slurp file)))
    (methods/all-methods)))

(defn withdrawing
  "Calls `work`, which loads `file` with the namespace called `named`, then removes the definitions that the
  file no longer contains. If its source still uses one, the file is loaded again to show the error of a new
  image."
  [named file work]
  (if-not named
    (work)
    (let [stripped (when ours? (foreign/strip named file))
          _ (when ours? (vars/put-back named))
          before (vars/defined-in named file)
          methods (methods-before file)
          answer (try (work)
                      (catch Throwable error
                        (when ours?
                          (foreign/restore named stripped)
                          (run! vars/take-out (filter vars/taken-out? (keys before))))
                        (throw error)))]
      (when ours? (foreign/note-given named stripped))
      (vars/note-defined named (remove (set (vars/not-defined-again before)) (keys before)))
      (if (withdraw named file before methods) (work) answer))))
