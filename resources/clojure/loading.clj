;; Loading: a file, a namespace with what it needs of the project, or all of the project that was edited. Failures and
;; warnings are told to the harbor as they come.
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
  ;; From namespaces to their source as it was when it was loaded here, and a number that counts loads: what was loaded
  ;; otherwise may be older.
  (atom {}))

(defonce ^:private loads (atom 0))

(defn- can-be-required? [namespace-name]
  (and (places/namespace-file namespace-name)
       (not (string/starts-with? (str namespace-name) "lisp-harbor."))))

(defn- call-telling-loaded
  "Calls `work`; which namespaces were not loaded before and are now is told, also when it fails."
  [work]
  (let [before (loaded-libs)]
    (try (call-with-warnings work)
         (finally
           (when-let [new (seq (filter can-be-required? (remove before (loaded-libs))))]
             (tell :loaded {:systems new}))))))

(defn- note-loaded [named text]
  (swap! loaded-sources assoc named {:text text :turn (swap! loads inc)}))

(defn- forget
  "A namespace whose source failed half-way does not count as loaded: the next `require` tries again."
  [named]
  (swap! loaded-sources dissoc named)
  (dosync (alter @#'clojure.core/*loaded-libs* disj named)))

(defn- attempt
  "Calls `work`, which loads the namespace `named`, if any. Answers nil, or the exception that it threw, whose place has
  been told then."
  [work named file]
  (try (work)
       nil
       (catch Exception error
         (when named (forget named))
         (tell :failure (failure error file))
         error)))

(defn- load-source-of
  "Of what is loaded the source is read even where a class made of it is newer: that would count as loaded again without
  defining anything."
  [named]
  (if (contains? (loaded-libs) named)
    (clojure.lang.RT/loadResourceScript (places/namespace-file named))
    (require named :reload)))

(defn- load-namespace
  "Answers nil, or the exception."
  [{named :name :keys [file text]}]
  (or (attempt #(withdrawing named file (fn [] (load-source-of named))) named (str file))
      (do (note-loaded named text) nil)))

(defn- stale?
  "Whether it was edited since it was loaded, or something that it needs was loaded later: it may use what that has lost."
  [{named :name :keys [text needs]}]
  (let [sources @loaded-sources
        {loaded :text :keys [turn]} (get sources named)]
    (not (and (contains? (loaded-libs) named)
              (= text loaded)
              (every? #(<= (:turn (get sources %) 0) turn) needs)))))

(defn- load-in-order
  "Loads those of `ordered` that are edited or `asked` for, or need one that was loaded since. What needs one that failed
  is left. Answers maps with the names of the `:loaded` ones, of the `:left` ones, and the exceptions of the `:failed` ones."
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
  "The names of what was loaded, or the exception of what was not."
  [{:keys [loaded left failed]}]
  (cond
    (empty? failed) (mapv str loaded)
    (and (empty? left) (= 1 (count failed))) (throw (first (vals failed)))
    :else (throw (ex-info (str "Not loaded: " (string/join ", " (sort (keys failed)))
                               (when (seq left)
                                 (str ", and what needs them: " (string/join ", " left))))
                          {} (first (vals failed))))))

(def ^:private no-namespaces "No folder on the classpath has a namespace. ")

(defn- require-library [named namespaces]
  (if (can-be-required? named)
    (some-> (attempt #(require named) named nil) throw)
    (throw (IllegalArgumentException.
            (str "There is no namespace " named " on the classpath. "
                 (project/told-elsewhere (project/could-be named (project/elsewhere)))
                 (if (seq namespaces)
                   (str "In the project there are: " (nearest (str named) (keys namespaces)) ". ")
                   no-namespaces)
                 "`load` with fetch: true fetches the libraries that the project names.")))))

(defn- all-of-project
  "The names of the project's `namespaces`. That there are none is no success: who asks for all means something."
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
  "Loads `names` and what they need, where it was edited; those that are `asked` for in any case."
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
  "Loads the namespaces called `names`, after those of the project that they need and that were edited since they were
  loaded. `project` alone stands for all of the project: those that were edited, and those that need them."
  [& names]
  (let [asked (map symbol names)]
    (load-meant asked asked)))

(defn load-edited
  "As `load-namespaces`, but leaves also of `names`, symbols, what was not edited."
  [& names]
  (load-meant names []))

(defn load-file
  "Loads a file by its absolute path, whatever is in it."
  [path]
  (call-telling-loaded
   (fn []
     (let [text (slurp path)
           named (some-> (second (project/ns-form text)) (with-meta nil))]
       (some-> (attempt #(withdrawing named path (fn [] (clojure.core/load-file path))) named path) throw)
       (when named
         (note-loaded named text)
         (str named))))))
