;;; drive.el --- Drives pnet in Emacs by its own commands  -*- lexical-binding: t; -*-

;; emacs --batch -L .. -l drive.el, with PNET (the program) in the environment.  The text is light.pnet in the
;; current folder.

(require 'package)
(package-initialize)
(require 'pnet-mode)
(require 'flymake)

(setq pnet-program (getenv "PNET")
      eglot-sync-connect 60
      eglot-autoshutdown nil
      flymake-no-changes-timeout 0.1
      eglot-send-changes-idle-time 0.05)

(defun drive-check (what holds)
  (if holds
      (princ (format "ok      %s\n" what))
    (princ (format "FAILED  %s\n" what))
    (kill-emacs 1)))

(defun drive-wait (what holds)
  (let ((until (+ (float-time) 60)))
    (while (and (not (funcall holds)) (< (float-time) until))
      ;; Nobody is idle here, so what was edited is told at once.
      (when (eglot-current-server) (eglot--signal-textDocument/didChange))
      (flymake-start)
      (accept-process-output nil 0.05))
    (drive-check what (funcall holds))))

(find-file "light.pnet")
(drive-check "the file is a model" (eq major-mode 'pnet-mode))
(font-lock-ensure)
(goto-char (point-min))
(search-forward "process")
(drive-check "words have colours"
             (eq (get-text-property (match-beginning 0) 'face) 'font-lock-keyword-face))
(call-interactively #'eglot)
(drive-check "the server is connected" (eglot-current-server))

(drive-wait "a good text has no problems" (lambda () (null (flymake-diagnostics))))
(goto-char (point-min))
(search-forward ": go ")
(replace-match ": goo ")
(drive-wait "a mistake is found" (lambda () (flymake-diagnostics)))
(goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
(drive-check "it is where it should be" (looking-at "goo"))
(delete-region (point) (+ (point) 3))
(insert "go")
(drive-wait "mended, it is gone" (lambda () (null (flymake-diagnostics))))

(goto-char (point-min))
(search-forward "sub L = Light")
(backward-char 2)
(let ((found (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot))))
  (drive-check "there is one definition" (= (length found) 1))
  (let ((marker (xref-location-marker (xref-item-location (car found)))))
    (goto-char marker)
    (drive-check "which is the process" (looking-at "Light {"))))
(eglot-rename "Lamp")
(drive-check "rename changes all places"
             (let ((text (buffer-string)))
               (and (string-match-p "process Lamp" text) (string-match-p "sub L = Lamp" text))))
(drive-wait "and leaves no problem" (lambda () (null (flymake-diagnostics))))

(goto-char (point-min))
(search-forward "action go, stop;")
(replace-match "action   go,stop;")
(eglot-format-buffer)
(goto-char (point-min))
(drive-check "formatting lays it out" (looking-at "action go, stop;$"))

(search-forward "check always")
(pnet-verify)
(drive-check "verifying tells the verdict"
             (string-prefix-p "refuted: " (pnet--told (pnet--check-here))))
(drive-wait "a refuted check is a problem" (lambda () (flymake-diagnostics)))
(pnet-play)
(drive-check "the play is shown"
             (with-current-buffer "*pnet play*" (string-match-p "1\\. `go`" (buffer-string))))
(pnet-automaton "Lights")
(drive-check "the automaton is shown"
             (with-current-buffer "*pnet automaton*" (string-match-p "go" (buffer-string))))

(let* ((server (eglot-current-server)) (process (jsonrpc--process server)))
  (eglot-shutdown server)
  ;; This Emacs kills a server right after it asked it to end, so its status says nothing.
  (drive-wait "the server ends" (lambda () (not (process-live-p process)))))
(set-buffer-modified-p nil)
;;; drive.el ends here
