;; Names known to SCI: descriptions, definitions, apropos, completions. SCI records the same metadata
;; of vars as Clojure and has no classes. The caller is electron/images/nrepl/sci.ts. Attached
;; servers load this file too, so it must be valid in both ClojureScript and Clojure, except for
;; `catch :default`.
(ns lisp-harbor.knowledge
  (:require [clojure.string :as string]
            [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.printing :refer [bounded]]))

(defn- namespace-called [text]
  (or (find-ns (symbol text))
      (refuse "unknown_package" (str "There is no namespace " text " here. There are: "
                                     (string/join ", " (take 20 (sort (map (comp str ns-name) (all-ns))))) "."))))

(defn- multimethod? [value]
  (and (ifn? value) (not (fn? value))
       (try (some? (methods value)) (catch :default _ false))))

(defn- kind [var]
  (let [{:keys [macro arglists dynamic] protocol :protocol} (meta var)
        value (deref var)]
    (cond
      macro "macro"
      (and (map? value) (:sigs value)) "protocol"
      protocol "protocol function"
      (multimethod? value) "multimethod"
      (or arglists (fn? value)) "function"
      dynamic "dynamic variable"
      :else "variable")))

(def ^:private groups
  {"function" #{"function" "multimethod" "protocol function" "special form"}
   "macro" #{"macro"}
   "variable" #{"variable" "dynamic variable"}
   "class" #{"protocol"}
   "type" #{"protocol"}})

(defn- wanted? [only var]
  (or (nil? only) (some #(contains? (get groups %) (kind var)) only)))

(defn- own?
  "Reports whether it was evaluated or loaded here and is not a part of nbb. Parts of nbb that are not marked
  as such have no line."
  [var]
  (let [{:keys [line] :sci/keys [built-in]} (meta var)]
    (boolean (and line (not built-in)))))

(defn- file-of
  "Returns nil for evaluated code, for which babashka has a special file name."
  [var]
  (let [{:keys [file]} (meta var)]
    (when-not (and file (re-find #"^(<|NO_SOURCE)" file))
      file)))

(defn- place
  "Returns the location, or nil. Files that are a part of nbb are not on this machine, and evaluated code has
  no file."
  [var]
  (let [file (file-of var)]
    (when (and (own? var) file)
      {:file file :line (:line (meta var))})))

(defn- value-of [var]
  (if (bound? var)
    {:value (bounded (deref var))}
    {:unbound true}))

(defn- qualified-name [var]
  (let [{there :ns simple :name} (meta var)]
    (str (when there (str (ns-name there) "/")) simple)))

(defn- marks [{:keys [private dynamic deprecated]}]
  (seq (remove nil? [(when private "private")
                     (when dynamic "dynamic")
                     (when deprecated (str "deprecated" (when (string? deprecated) (str " since " deprecated))))])))

(defn- parts-of [var]
  (let [value (deref var)]
    (case (kind var)
      "protocol" {:methods (for [[_ {:keys [name arglists doc]}] (:sigs value)]
                             {:text (str "(" name " " (string/join " " (map pr-str arglists)) ")") :documentation doc})
                  :total (count (:sigs value))}
      "multimethod" {:methods (for [dispatched (keys (methods value))] {:text (bounded dispatched)})
                     :total (count (methods value))}
      ("variable" "dynamic variable") (value-of var)
      {})))

(defn- definition [var]
  (let [{:keys [doc arglists] :as data} (meta var)]
    (merge {:kind (kind var)
            :name (qualified-name var)
            :arglist (when arglists (pr-str arglists))
            :documentation doc
            :source (place var)
            :marks (marks data)}
           (parts-of var))))

(defn- public-name
  "Returns no kind for a var that is only declared."
  [[named var]]
  (merge {:name (str named)}
         (when (bound? var)
           {:kind (kind var) :arglist (some-> var meta :arglists pr-str)})))

(defn- namespace-definition [there]
  {:kind "namespace"
   :name (str (ns-name there))
   :documentation (:doc (meta there))
   :externals (count (ns-publics there))
   :names (map public-name (take 500 (sort-by (comp str key) (ns-publics there))))
   :uses (sort (for [[alias target] (ns-aliases there)] (str (ns-name target) " as " alias)))})

(defn- var-called
  "Returns the var that `named` denotes in the namespace `from`, including its aliases."
  [from named]
  (if-let [prefix (namespace named)]
    (let [there (or (get (ns-aliases from) (symbol prefix)) (find-ns (symbol prefix)))]
      (when there (get (ns-interns there) (symbol (name named)))))
    (get (ns-map from) named)))

(defn- meanings [from text]
  (let [named (symbol (string/replace (string/trim text) #"^#?'" ""))
        var (var-called from named)
        there (find-ns named)]
    (cond-> []
      (special-symbol? named) (conj [:special named])
      var (conj [:var var])
      there (conj [:namespace there]))))

(defn- known-meanings [from text]
  (let [found (meanings from text)]
    (if (seq found)
      found
      (refuse "unknown_symbol" (str "There is no " text " in " (ns-name from) ".") :search))))

(defn- status [from [what thing]]
  (case what
    :var (let [{there :ns private :private} (meta thing)]
           (str (if private "private" "public") " in " (when there (ns-name there)) ", seen from " (ns-name from)))
    :namespace "a namespace"
    :special "of the language"))

(defn describe [{:keys [symbol package]}]
  (let [from (namespace-called package)
        found (known-meanings from symbol)]
    {:symbol symbol
     :status (status from (first found))
     :definitions (for [[what thing] found]
                    (case what
                      :var (definition thing)
                      :namespace (namespace-definition thing)
                      :special {:kind "special form" :name (str thing)}))}))

(defn- finding [text var]
  (let [{:keys [doc arglists]} (meta var)]
    {:kind (kind var)
     :text text
     :arglist (when arglists (pr-str arglists))
     :documentation (some-> doc string/split-lines first)
     :source (place var)}))

(defn- findings [found limit]
  {:results (map #(%) (take limit found)) :total (count found)})

(defn definitions [{:keys [query package limit]}]
  (findings (for [[what thing] (known-meanings (namespace-called package) query)]
              #(if (= :var what)
                 (finding (qualified-name thing) thing)
                 {:kind (if (= :special what) "special form" "namespace")
                  :text (str (if (= :special what) thing (ns-name thing)))}))
            limit))

(defn- vars-of [namespaces external]
  (for [there (sort-by ns-name namespaces)
        :when (not (string/starts-with? (str (ns-name there)) "lisp-harbor."))
        [_ var] (sort-by key (if external (ns-publics there) (ns-interns there)))]
    var))

(defn- holds? [var part]
  (string/includes? (string/lower-case (str (:name (meta var)))) (string/lower-case part)))

(defn apropos [{:keys [query limit in external only]}]
  (findings (for [var (sort-by (complement own?) (vars-of (if in [(namespace-called in)] (all-ns)) external))
                  :when (and (holds? var query) (wanted? only var))]
              #(finding (qualified-name var) var))
            limit))

(defn- made-for-a-record?
  "Reports whether this is a function that SCI defines for a record: `__->Item__ctor__`."
  [var]
  (string/starts-with? (str (:name (meta var))) "__"))

(defn unsaved [{:keys [query limit only]}]
  (findings (for [var (vars-of (all-ns) false)
                  :when (and (own? var) (not (file-of var)) (not (made-for-a-record? var))
                             (holds? var query) (wanted? only var))]
              #(merge (finding (qualified-name var) var)
                      (when (string/includes? (kind var) "variable") (select-keys (value-of var) [:value]))))
            limit))

(defn completions [{:keys [query package limit]}]
  (let [from (namespace-called package)
        [_ prefix typed] (re-matches #"([^/]+)/(.*)" query)
        there (when prefix (or (get (ns-aliases from) (symbol prefix)) (find-ns (symbol prefix))))
        begins? #(string/starts-with? (str %) query)]
    (findings (sort-by #(:text (%))
                       (if prefix
                         (for [[simple var] (when there (ns-publics there))
                               :when (string/starts-with? (str simple) typed)]
                           #(finding (str prefix "/" simple) var))
                         (concat (for [[simple var] (ns-map from) :when (begins? simple)] #(finding (str simple) var))
                                 (for [alias (keys (ns-aliases from)) :when (begins? alias)]
                                   (fn [] {:kind "alias" :text (str alias)}))
                                 (for [named (map ns-name (all-ns)) :when (begins? named)]
                                   (fn [] {:kind "namespace" :text (str named)})))))
              limit)))
