;; What a file has lost since it was loaded here goes out of the image when it is loaded again: otherwise an image would go
;; on running what its sources do not have. In a server that somebody else has started it is told, and stays, tests
;; excepted: they would run.
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
  "Takes out what `file` has lost, or says that it is there. Answers whether the source of the namespace still uses it."
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
  "The methods that there are, where the source may make some or has made some."
  [file]
  (when (or (methods/made-by? file)
            (re-find #"\((?:\S+/)?(?:defmethod|extend)" (slurp file)))
    (methods/all-methods)))

(defn withdrawing
  "Calls `work`, which loads `file` with the namespace called `named`, then takes out what the file has lost. What its own
  source still uses is then missing, as in a fresh image: that shows when it is loaded once more."
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
