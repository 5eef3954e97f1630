;; Reports of clojure.test, collected as data.
(ns lisp-harbor.test-results
  (:require [clojure.string :as string]
            [clojure.test :as test]
            [lisp-harbor.host :refer [message-of]]
            [lisp-harbor.names :as names]
            [lisp-harbor.places :as places]
            [lisp-harbor.printing :refer [bounded]]
            [lisp-harbor.reported-checks :as checks]
            [lisp-harbor.reports :refer [tell]]))

(defn- exception-text [^Throwable error]
  (str (.getName (class error)) ": " (message-of error)
       (when-let [data (ex-data error)] (str " " (bounded data)))))

(defn- line-in-test
  "Returns the line at which the stack of `error` passes through the namespace of the test."
  [^Throwable error test]
  (let [prefix (namespace-munge (str (ns-name (:ns (meta test)))))]
    (some #(when (string/starts-with? (.getClassName ^StackTraceElement %) prefix)
             (.getLineNumber ^StackTraceElement %))
          (.getStackTrace error))))

(defn- described
  "Reports it if the project's code fails while the compared values are described."
  [{:keys [actual] :as reported}]
  (let [test (first test/*testing-vars*)]
    (try (checks/failure reported {:test (names/qualified-name test)
                                   :file (:file (places/var-place test))
                                   :contexts (test/testing-contexts-str)
                                   :error (when (instance? Throwable actual)
                                            {:text (exception-text actual) :line (line-in-test actual test)})})
         (catch Throwable error
           {:test (names/qualified-name test)
            :kind "error"
            :reason (str "A check did not hold, and could not be described: "
                         (.getName (class error)) ": " (message-of error))}))))

(def ^:private ^:dynamic *ended*
  "The reason for which the harbor ended the test that runs in this thread, an atom. Bound while a test runs."
  nil)

(defn- interruption?
  "Reports whether the evaluation was interrupted, not only its test. A run that goes on would undo that."
  [{:keys [type actual]}]
  (and (= :error type)
       (or (instance? ThreadDeath actual) (instance? InterruptedException actual))
       (not (some-> *ended* deref))))

(defn- reason-added
  "Returns the report of an error by which a test was ended, with the reason."
  [{:keys [actual] :as reported}]
  (if-let [reason (when (or (instance? ThreadDeath actual) (instance? InterruptedException actual))
                    (some-> *ended* deref))]
    (assoc reported :message reason :line (:line (meta (first test/*testing-vars*))))
    reported))

(defn collect
  "Calls `work`, which runs `planned` tests, and returns the reports of clojure.test. Each test is reported to the
  harbor as it begins. Only the tests themselves print."
  [planned work]
  (let [results (atom checks/none)
        take-report (fn [{:keys [type var] :as reported}]
                      (when (interruption? reported) (throw (:actual reported)))
                      (when (= :begin-test-var type)
                        (tell :testing (assoc (checks/begun @results (names/qualified-name var))
                                              :framework "clojure.test" :planned planned)))
                      (let [reported (reason-added reported)
                            failure (delay (described reported))]
                        (swap! results checks/noted reported (fn [_] @failure))))]
    (binding [test/report take-report
              test/*test-out* *out*]
      (work))
    (checks/told @results names/qualified-name)))

(defn- own-calls
  "Returns the innermost calls of the stack of `thread` that are the project's."
  [^Thread thread]
  (->> (.getStackTrace thread)
       (map #(.getClassName ^StackTraceElement %))
       (remove #(re-find #"^(clojure|java|jdk|sun|nrepl|lisp_harbor)[.]" %))
       (map #(clojure.lang.Compiler/demunge %))
       dedupe
       (take 3)))

(defn- end-test
  "Ends the code that runs in `thread`: by an interrupt, then by force where Java can, which it cannot from version 20
  on."
  [^Thread thread by-force?]
  (if by-force?
    (try (.stop thread) (catch UnsupportedOperationException _ (.interrupt thread)))
    (.interrupt thread)))

(defn- time-limit-text [seconds thread]
  (str "It ran longer than " seconds " s and was ended"
       (when-let [calls (seq (own-calls thread))] (str ", in " (string/join " < " calls)))
       ". limit_ms sets another limit for each test."))

(def ^:private again-ms "Milliseconds after which code that goes on is ended again." 500)

(defn- watch
  "Ends the test of `thread` after `seconds`, and again while `running` is true. `reason` gets the reason."
  [thread seconds running reason]
  (try
    (Thread/sleep (long (* 1000 seconds)))
    (while @running
      (locking running
        (when @running
          (let [by-force? (some? @reason)]
            (compare-and-set! reason nil (time-limit-text seconds thread))
            (end-test thread by-force?))))
      (Thread/sleep (long again-ms)))
    (catch InterruptedException _ nil)))

(defn limited
  "Returns a function that calls `run` with a test, and ends the test after `seconds`."
  [run seconds]
  (fn [test]
    (let [thread (Thread/currentThread)
          [reason running] [(atom nil) (atom true)]
          watcher (doto (Thread. #(watch thread seconds running reason) "lisp-harbor test limit")
                    (.setDaemon true)
                    .start)]
      (try
        (binding [*ended* reason] (run test))
        ;; It came when the test had ended, before the lock was taken.
        (catch ThreadDeath death (when-not @reason (throw death)))
        (finally
          (locking running (reset! running false))
          (.interrupt ^Thread watcher)
          (when @reason (Thread/interrupted)))))))
