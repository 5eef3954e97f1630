;; How values are shown: bounded, however large or broken they are.
(ns lisp-harbor.printing)

(def ^:private longest 2000)

(defn- cut [text characters]
  (if (<= (count text) characters)
    text
    (str (subs text 0 characters) " …")))

(defn bounded
  "How `value` prints, up to a length. A lazy sequence that nobody has asked for yet stays so."
  ([value]
   (bounded value longest))
  ([value characters]
   (if (and (instance? clojure.lang.LazySeq value) (not (realized? value)))
     "(a lazy sequence, not realized)"
     (binding [*print-length* 20 *print-level* 5]
       (try (cut (pr-str value) characters)
            (catch Throwable _ "(data that cannot be printed)"))))))

(defn message-of
  "What `error` says of itself, which its own code may fail to say."
  [^Throwable error]
  (try (.getMessage error)
       (catch Throwable problem (str "(it cannot say what happened: " (.getName (class problem)) ")"))))
