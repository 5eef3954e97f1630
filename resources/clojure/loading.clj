;; Loads a file, a namespace with its dependencies in the project, or all edited files of the
;; project. Failures and warnings are sent to the harbor as they occur.
(ns lisp-harbor.loading
  (:refer-clojure :exclude [load-file])
  (:require [clojure.string :as string]
            [lisp-harbor.compiler-warnings :refer [call-with-warnings]]
            [lisp-harbor.load-failures :refer [failure]]
            [lisp-harbor.names :refer [nearest]]
            [lisp-harbor.places :as places]
            [lisp-harbor.project :as project]
            [lisp-harbor.reports :refer [tell]]
            [lisp-harbor.withdrawn :refer [withdrawing]]))

(defonce ^:private loaded-sources
  ;; Maps namespaces to their source when it was loaded here and to a load counter. Code loaded by
  ;; other means may be older.
  (atom {}))

(defonce ^:private loads (atom 0))

(defn- can-be-required? [namespace-name]
  (and (places/namespace-file namespace-name)
       (not (string/starts-with? (str namespace-name) "lisp-harbor."))))

(defn- call-telling-loaded
  "Calls `work` and reports the namespaces that it loaded, even if it fails."
  [work]
  (let [before (loaded-libs)]
    (try (call-with-warnings work)
         (finally
           (when-let [new (seq (filter can-be-required? (remove before (loaded-libs))))]
             (tell :loaded {:systems new}))))))

(defn- note-loaded [named text]
  (swap! loaded-sources assoc named {:text text :turn (swap! loads inc)}))

(defn- forget
  "Marks a namespace whose source failed half-way as not loaded, so that the next `require` tries again."
  [named]
  (swap! loaded-sources dissoc named)
  (dosync (alter @#'clojure.core/*loaded-libs* disj named)))

(defn- attempt
  "Calls `work`, which loads the namespace `named`, if any. Returns nil, or the exception that it threw, whose
  location has been reported."
  [work named file]
  (try (work)
       nil
       (catch Exception error
         (when named (forget named))
         (tell :failure (failure error file))
         error)))

(defn- marked?
  "Reports whether it begins with a byte order mark, which Clojure reads as a symbol."
  [text]
  (string/starts-with? text "\uFEFF"))

(defn- load-marked
  "Loads a text that begins with a byte order mark. `path` is its name in stack traces."
  [text path]
  (clojure.lang.Compiler/load (java.io.StringReader. (subs text 1)) path (.getName (java.io.File. (str path)))))

(defn- load-source-of
  "Loads a namespace from source even if a compiled class is newer: that class would count as loaded again
  without defining anything."
  [named text]
  (cond
    (marked? text) (do (load-marked text (places/namespace-file named))
                       (dosync (commute @#'clojure.core/*loaded-libs* conj named)))
    (contains? (loaded-libs) named) (clojure.lang.RT/loadResourceScript (places/namespace-file named))
    :else (require named :reload)))

(defn- load-namespace
  "Returns nil, or the exception."
  [{named :name :keys [file text]}]
  (or (attempt #(withdrawing named file (fn [] (load-source-of named text))) named (str file))
      (do (note-loaded named text) nil)))

(defn- stale?
  "Reports whether it was edited since it was loaded, or a dependency was loaded later: it may use a definition
  that the dependency has lost."
  [{named :name :keys [text needs]}]
  (let [sources @loaded-sources
        {loaded :text :keys [turn]} (get sources named)]
    (not (and (contains? (loaded-libs) named)
              (= text loaded)
              (every? #(<= (:turn (get sources %) 0) turn) needs)))))

(defn- load-in-order
  "Loads those of `ordered` that are edited or `asked` for, or whose dependencies were loaded since. Dependents
  of a failed namespace are skipped. Returns maps with the names of the `:loaded` and the skipped `:left`
  ones, and the exceptions of the `:failed` ones."
  [namespaces ordered asked]
  (reduce (fn [{:keys [loaded left failed] :as so-far} named]
            (let [{:keys [needs] :as one} (namespaces named)]
              (cond
                (some #(or (contains? failed %) (some #{%} left)) needs)
                (update so-far :left conj named)

                (or (asked named) (stale? one))
                (if-let [error (load-namespace one)]
                  (assoc-in so-far [:failed named] error)
                  (update so-far :loaded conj named))

                :else so-far)))
          {:loaded [] :left [] :failed {}}
          ordered))

(defn- settle
  "Returns the names of the loaded namespaces, or throws the exception of one that failed."
  [{:keys [loaded left failed]}]
  (cond
    (empty? failed) (mapv str loaded)
    (and (empty? left) (= 1 (count failed))) (throw (first (vals failed)))
    :else (throw (ex-info (str "Not loaded: " (string/join ", " (sort (keys failed)))
                               (when (seq left)
                                 (str ", and what needs them: " (string/join ", " left))))
                          {} (first (vals failed))))))

(def ^:private no-namespaces "No folder on the classpath has a namespace.")

(defn- require-library [named namespaces]
  (if (can-be-required? named)
    (some-> (attempt #(require named) named nil) throw)
    (throw (IllegalArgumentException.
            (str "There is no namespace " named " on the classpath. "
                 (project/told-elsewhere (project/could-be named (project/elsewhere)))
                 (if (seq namespaces)
                   (str "In the project there are: " (nearest (str named) (keys namespaces)) ".")
                   no-namespaces))))))

(defn- all-of-project
  "Returns the names of the project's `namespaces`. Throws if there are none, because the caller expects some."
  [namespaces]
  (when (empty? namespaces)
    (throw (IllegalArgumentException.
            (string/trim (str no-namespaces (project/told-elsewhere (project/elsewhere)))))))
  (sort (keys namespaces)))

(defn- namespaces-meant [namespaces names]
  (if (and (= names '[project]) (not (namespaces 'project)))
    (all-of-project namespaces)
    names))

(defn- load-meant
  "Loads the edited ones of `names` and their dependencies, and those `asked` for in any case."
  [names asked]
  (call-telling-loaded
   (fn []
     (let [namespaces (project/namespaces)
           meant (namespaces-meant namespaces names)]
       (run! #(require-library % namespaces) (remove namespaces meant))
       (settle (load-in-order namespaces
                              (project/in-order namespaces (filter namespaces meant))
                              (set asked)))))))

(defn load-namespaces
  "Loads the namespaces called `names` after their edited dependencies in the project. `project` alone means
  the whole project: the edited namespaces and their dependents."
  [& names]
  (let [asked (map symbol names)]
    (load-meant asked asked)))

(defn load-edited
  "Does the same as `load-namespaces`, but also skips those of `names`, symbols, that were not edited."
  [& names]
  (load-meant names []))

(defn load-file
  "Loads a file by its absolute path, with any content."
  [path]
  (call-telling-loaded
   (fn []
     (let [text (slurp path)
           named (some-> (second (project/ns-form text)) (with-meta nil))]
       (some-> (attempt #(withdrawing named path
                                        (fn [] (if (marked? text) (load-marked text path) (clojure.core/load-file path)))) named path) throw)
       (when named
         (note-loaded named text)
         (str named))))))
