;;;; The systems that a system depends on with versions and licences: as a tree, or as a bill of materials
;;;; in SPDX 2.3 or CycloneDX 1.5. Reads system definitions, so it runs only in evaluations.

(in-package :lisp-harbor-agent)

(defstruct (material (:constructor make-material (name system)))
  "A system by its name. SYSTEM is NIL if ASDF does not find it."
  name
  system)

(defun material-version (material)
  (and (material-system material) (asdf:component-version (material-system material))))

(defun material-license (material)
  "Returns the licence as the system names it, in one line, or NIL."
  (let ((license (and (material-system material) (asdf:system-license (material-system material)))))
    (and (stringp license)
         (substitute #\Space #\Newline (string-trim '(#\Space #\Newline #\Tab) license)))))

(defun material-dependencies (material)
  (and (material-system material) (dependency-names (material-system material))))

(defun materials-of (system)
  "Returns the materials of SYSTEM, which is the first of them, each once."
  (cons (make-material (asdf:component-name system) system)
        (loop for name in (all-dependency-names system)
              collect (make-material name (asdf:find-system name nil)))))

(defun source-folder-text (system)
  (let ((file (asdf:system-source-file system)))
    (if file (native-text (uiop:pathname-directory-pathname file)) "a part of the Lisp")))

(defun print-material-tree (materials)
  "Prints each system below the systems that need it. The dependencies of a system are printed once."
  (let ((printed (make-hash-table :test 'equal)))
    (labels ((show (name depth)
               (let* ((material (find name materials :key #'material-name :test #'string=))
                      (known (gethash name printed)))
                 (format t "~V@T~A~@[ ~A~]" (* 2 depth) name (material-version material))
                 (cond (known (format t " (above)~%"))
                       ((null (material-system material)) (format t " · not found~%"))
                       (t (format t " · ~:[no licence named~;~:*~A~] · ~A~%" (material-license material)
                                  (source-folder-text (material-system material)))
                          (setf (gethash name printed) t)
                          (dolist (below (material-dependencies material)) (show below (1+ depth))))))))
      (show (material-name (first materials)) 0))))

(defparameter +spdx-licenses+
  '("0BSD" "AGPL-3.0-only" "AGPL-3.0-or-later" "Apache-2.0" "Artistic-2.0" "BSD-2-Clause" "BSD-3-Clause" "BSL-1.0"
    "CC0-1.0" "EPL-1.0" "EPL-2.0" "GPL-2.0-only" "GPL-2.0-or-later" "GPL-3.0-only" "GPL-3.0-or-later" "ISC"
    "LGPL-2.1-only" "LGPL-2.1-or-later" "LGPL-3.0-only" "LGPL-3.0-or-later" "MIT" "MIT-0" "MPL-2.0" "Unlicense"
    "WTFPL" "Zlib")
  "Identifiers of SPDX that systems use. Other texts, such as BSD, do not say which licence is meant.")

(defun spdx-license (material)
  (find (material-license material) +spdx-licenses+ :test #'equalp))

(defun utc-text ()
  (multiple-value-bind (second minute hour day month year) (decode-universal-time (get-universal-time) 0)
    (format nil "~4,'0D-~2,'0D-~2,'0DT~2,'0D:~2,'0D:~2,'0DZ" year month day hour minute second)))

(defun reference-of (name)
  "Returns NAME with only the characters that SPDX allows in references."
  (format nil "SPDXRef-~A" (substitute-if-not #\- (lambda (char) (or (alphanumericp char) (find char ".-"))) name)))

(defun without-nil (&rest keys-and-values)
  (make-json-object (loop for (key value) on keys-and-values by #'cddr
                          when value collect (cons key value))))

(defun spdx-bill (materials)
  (let ((name (material-name (first materials))))
    (flet ((package-of (material)
             (without-nil "SPDXID" (reference-of (material-name material))
                          "name" (material-name material)
                          "versionInfo" (material-version material)
                          "downloadLocation" "NOASSERTION"
                          "licenseConcluded" "NOASSERTION"
                          "licenseDeclared" (or (spdx-license material) "NOASSERTION")
                          "licenseComments" (and (not (spdx-license material)) (material-license material))
                          "copyrightText" "NOASSERTION"))
           (relation (from kind to)
             (object "spdxElementId" from "relationshipType" kind "relatedSpdxElement" (reference-of to))))
      (object "spdxVersion" "SPDX-2.3"
              "dataLicense" "CC0-1.0"
              "SPDXID" "SPDXRef-DOCUMENT"
              "name" name
              "documentNamespace" (format nil "urn:lisp-harbor:~A:~36R" name (random (expt 2 64) (make-random-state t)))
              "creationInfo" (object "created" (utc-text) "creators" (list "Tool: lisp-harbor"))
              "packages" (mapcar #'package-of materials)
              "relationships" (cons (relation "SPDXRef-DOCUMENT" "DESCRIBES" name)
                                    (loop for material in materials
                                          append (loop for needed in (material-dependencies material)
                                                       collect (relation (reference-of (material-name material))
                                                                         "DEPENDS_ON" needed))))))))

(defun cyclonedx-bill (materials)
  (flet ((component-of (material)
           (let ((license (material-license material)))
             (without-nil "type" "library"
                          "bom-ref" (material-name material)
                          "name" (material-name material)
                          "version" (material-version material)
                          "licenses" (and license
                                          (list (object "license" (if (spdx-license material)
                                                                      (object "id" (spdx-license material))
                                                                      (object "name" license)))))))))
    (object "bomFormat" "CycloneDX"
            "specVersion" "1.5"
            "version" 1
            "metadata" (object "timestamp" (utc-text) "component" (component-of (first materials)))
            "components" (mapcar #'component-of (rest materials))
            "dependencies" (loop for material in materials
                                 collect (object "ref" (material-name material)
                                                 "dependsOn" (material-dependencies material))))))

(defun lisp-harbor:bill-of-materials (name &key (format :tree) file)
  "Prints the systems that the system NAME depends on, with versions and licences: as a tree, or with FORMAT
:SPDX or :CYCLONEDX as JSON. With FILE writes it there. NAME is not loaded."
  (let* ((materials (materials-of (known-system name)))
         (text (with-output-to-string (*standard-output*)
                 (ecase format
                   (:tree (print-material-tree materials))
                   (:spdx (write-json (spdx-bill materials) *standard-output*))
                   (:cyclonedx (write-json (cyclonedx-bill materials) *standard-output*))))))
    (cond (file
           (with-open-file (out file :direction :output :if-exists :supersede :external-format :utf-8)
             (write-string text out))
           (format t "~A has ~D systems" (native-text (truename file)) (length materials)))
          (t (write-string text)))
    (fresh-line)
    (values)))
