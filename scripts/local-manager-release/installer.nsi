; The installer of the local manager for Windows: program, task at logon, shortcuts and uninstaller.
; Built with: makensis -DVERSION=… -DEXECUTABLE=… -DOUTPUT=… installer.nsi
Unicode true
; The program is for x64 only; a 32-bit installer would see other system folders.
Target amd64-unicode
!include "MUI2.nsh"
!include "LogicLib.nsh"
!include "FileFunc.nsh"

!define NAME "Gantry local manager"
!define TASK "Gantry local manager"
!define PROGRAM "gantry-local-manager.exe"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\GantryLocalManager"

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$PROGRAMFILES64\Gantry local manager"
InstallDirRegKey HKLM "${UNINSTALL}" "InstallLocation"
; Hyper-V needs an administrator, and only administrators may change the program that runs as one.
RequestExecutionLevel admin
SetCompressor /SOLID lzma
ShowInstDetails show

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "FileDescription" "Installer of the ${NAME}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT License"

!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "Open the local manager in the browser"
!define MUI_FINISHPAGE_RUN_FUNCTION OpenPage

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Function .onInit
  SetRegView 64
FunctionEnd

Function un.onInit
  SetRegView 64
FunctionEnd

Function OpenPage
  ; Through the shell's own process, so that the browser does not run as an administrator.
  Exec '"$WINDIR\explorer.exe" "$SMPROGRAMS\${NAME}\Open the local manager.lnk"'
FunctionEnd

; Waits for a running operation, ends the manager, and then what is left of its task.
!macro StopManager
  nsExec::ExecToLog '"$INSTDIR\${PROGRAM}" stop'
  Pop $0
  nsExec::ExecToLog '"$SYSDIR\schtasks.exe" /End /TN "${TASK}"'
  Pop $0
!macroend

Section "Program"
  SetShellVarContext all
  SetOutPath "$INSTDIR"
  ${If} ${FileExists} "$INSTDIR\${PROGRAM}"
    !insertmacro StopManager
  ${EndIf}
  File "/oname=${PROGRAM}" "${EXECUTABLE}"

  ; Elevated at each logon of the user who installs it, without a prompt and without a window.
  nsExec::ExecToLog '"$INSTDIR\${PROGRAM}" register-task'
  Pop $0
  ${If} $0 != 0
    MessageBox MB_ICONEXCLAMATION "The task at logon could not be made. Start the manager from an elevated terminal instead." /SD IDOK
  ${EndIf}

  CreateDirectory "$SMPROGRAMS\${NAME}"
  CreateShortcut "$SMPROGRAMS\${NAME}\Open the local manager.lnk" "$INSTDIR\${PROGRAM}" "open"
  CreateShortcut "$SMPROGRAMS\${NAME}\Uninstall.lnk" "$INSTDIR\uninstall.exe"
  CreateShortcut "$DESKTOP\${NAME}.lnk" "$INSTDIR\${PROGRAM}" "open"

  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" "Publisher" "Gantry"
  WriteRegStr HKLM "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  SetShellVarContext all
  !insertmacro StopManager
  nsExec::ExecToLog '"$SYSDIR\schtasks.exe" /Delete /F /TN "${TASK}"'
  Pop $0
  ; The virtual machine and its world are never touched. A silent uninstallation keeps the data without /DELETEDATA.
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DELETEDATA" $1
  IfErrors 0 DeleteData
  MessageBox MB_YESNO|MB_DEFBUTTON2 "Delete the manager's own data as well: its settings, its records and all backups in $PROFILE\.gantry-local-manager? The virtual machine stays in either case." /SD IDNO IDNO KeepData
DeleteData:
  RMDir /r "$PROFILE\.gantry-local-manager"
KeepData:
  Delete "$SMPROGRAMS\${NAME}\Open the local manager.lnk"
  Delete "$SMPROGRAMS\${NAME}\Uninstall.lnk"
  RMDir "$SMPROGRAMS\${NAME}"
  Delete "$DESKTOP\${NAME}.lnk"
  Delete "$INSTDIR\${PROGRAM}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKLM "${UNINSTALL}"
SectionEnd
