;; Definitions of a name in a namespace: vars, classes, namespaces, special forms. Lookup does not
;; read, evaluate, load or initialize anything.
(ns lisp-harbor.names
  (:require [clojure.string :as string]
            [lisp-harbor.answers :refer [refuse]]
            [lisp-harbor.lists :refer [in-a-row]]))

(defn nearest
  "Returns the `names` most similar to `text` or containing it, as one text."
  [text names]
  (let [shared #(count (take-while true? (map = text %)))
        far #(if (string/includes? % text) (- (count text)) (- (shared %)))]
    (string/join ", " (take 8 (sort-by far (sort (map str names)))))))

(defn namespace-called
  "Throws the error for a namespace that does not exist."
  [text]
  (or (find-ns (symbol text))
      (refuse "unknown_package" (str "There is no namespace " text " here; one that is in a file can be loaded. Near: "
                                     (nearest text (map ns-name (all-ns))) "."))))

(defn class-called
  "Returns the class of that full name without initializing it, or nil if there is none."
  [class-name]
  (try (Class/forName (str class-name) false (clojure.lang.RT/baseLoader))
       (catch ClassNotFoundException _ nil)
       (catch LinkageError _ nil)))

(defn- namespace-behind
  "Returns the namespace that `prefix` denotes in `from`: by name or by alias."
  [from prefix]
  (or (get (ns-aliases from) prefix) (find-ns prefix)))

(defn- static-members [from prefix member]
  (let [mapped (get (ns-map from) prefix)
        ^Class owner (if (class? mapped) mapped (class-called prefix))]
    (when owner
      (let [methods (filter #(and (= member (.getName ^java.lang.reflect.Method %))
                                  (java.lang.reflect.Modifier/isStatic (.getModifiers ^java.lang.reflect.Method %)))
                            (.getMethods owner))
            field (try (.getField owner member) (catch NoSuchFieldException _ nil))]
        (cond-> []
          (seq methods) (conj [:static-method {:owner owner :name member :methods methods}])
          field (conj [:static-field field]))))))

(defn- qualified [from prefix simple]
  (let [there (namespace-behind from (symbol prefix))
        interned (when there (get (ns-interns there) (symbol simple)))]
    (if interned
      [[:var interned]]
      (static-members from (symbol prefix) simple))))

(defn- unqualified [from named]
  (let [mapped (get (ns-map from) named)
        ^Class owner (if (class? mapped) mapped (when-not mapped (class-called named)))
        there (namespace-behind from named)]
    (cond-> []
      (special-symbol? named) (conj [:special named])
      (var? mapped) (conj [:var mapped])
      owner (conj [:class owner])
      there (conj [:namespace there]))))

(defn meanings
  "Returns all definitions of `text` in the namespace `from`, as pairs of a keyword and the object."
  [from text]
  (let [named (symbol (string/replace (string/trim text) #"^#?'" ""))]
    (if-let [prefix (namespace named)]
      (qualified from prefix (name named))
      (unqualified from named))))

(defn- elsewhere
  "Returns vars of other namespaces with the same simple name, as symbols."
  [text]
  (let [simple (symbol (string/replace text #"^.+/(?=.)" ""))]
    (for [there (sort-by ns-name (all-ns))
          :let [interned (get (ns-publics there) simple)]
          :when interned]
      (symbol (str (ns-name there)) (str simple)))))

(defn known-meanings
  "Does the same as `meanings`, but throws for a name without definitions and suggests other namespaces."
  [from text]
  (let [found (meanings from text)
        near (elsewhere text)]
    (if (seq found)
      found
      (if (seq near)
        (refuse "unknown_symbol" (str "There is no " text " in " (ns-name from) ". There is " (in-a-row 5 near) "."))
        (refuse "unknown_symbol" (str "There is no " text " in " (ns-name from) ".") :search)))))

(defn qualified-name [var]
  (let [{there :ns simple :name} (meta var)]
    (str (when there (str (ns-name there) "/")) simple)))
