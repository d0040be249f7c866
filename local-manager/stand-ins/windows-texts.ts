// Error messages of Windows, as users have reported them.

export interface HostError {
  message: string;
  fqid: string;
  hresult: number;
  category: string;
}

export const asError = (
  message: string,
  fqid: string,
  category: string,
  hresult = -2146233088,
): HostError => ({
  message,
  fqid,
  hresult,
  category,
});

export const hostErrors = {
  permission: asError(
    'You do not have the required permission to complete this task. Contact the administrator of the authorization policy for the computer.',
    'AccessDenied,Microsoft.HyperV.PowerShell.Commands.GetVM',
    'PermissionDenied',
  ),
  module: asError(
    "The specified module 'Hyper-V' was not loaded because no valid module file was found in any module directory.",
    'Modules_ModuleNotFound,Microsoft.PowerShell.Commands.ImportModuleCommand',
    'ResourceUnavailable',
  ),
  service: asError('vmms does not run', 'GantryServiceStopped', 'NotSpecified'),
};

export const memoryTexts = {
  english: (name: string, gb: number) =>
    asError(
      `'${name}' failed to start.\n\nNot enough memory in the system to start the virtual machine ${name} with ram size ${gb * 1024} megabytes.\n\n'${name}' could not initialize. (0x8007000E)`,
      'OutOfMemory,Microsoft.HyperV.PowerShell.Commands.StartVM',
      'ResourceUnavailable',
    ),
  german: (name: string, gb: number) =>
    asError(
      `Fehler beim Starten von "${name}".\n\nNicht genügend Arbeitsspeicher im System, um den virtuellen Computer "${name}" mit ${gb * 1024} MB zu starten. (0x8007000E)`,
      'Unspecified,Microsoft.HyperV.PowerShell.Commands.StartVM',
      'NotSpecified',
    ),
  resources: (name: string) =>
    asError(
      `'${name}' failed to start.\n\nInsufficient system resources exist to complete the requested service. (0x800705AA)`,
      'Unspecified,Microsoft.HyperV.PowerShell.Commands.StartVM',
      'NotSpecified',
    ),
};

export const shutDownFailed = (name: string) =>
  asError(
    `Failed to shut down virtual machine '${name}'. The guest operating system did not shut down in time. (0x800705B4)`,
    'OperationFailed,Microsoft.HyperV.PowerShell.Commands.StopVM',
    'InvalidResult',
    -2147023436,
  );
