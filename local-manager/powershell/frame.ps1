# Runs one script of the manager with its values and prints one line: the mark, then one JSON object.
$Mark = '<#mark#>'
try {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'
  $WarningPreference = 'SilentlyContinue'
  try { [Console]::OutputEncoding = [Text.UTF8Encoding]::new($false) } catch { $NoConsole = $true }
  $Values = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('<#values#>')) | ConvertFrom-Json
  try {
    $Data = & {
<#work#>
    }
    $Answer = @{ ok = $true; data = $Data }
  } catch {
    $Exception = $_.Exception
    $Answer = @{
      ok = $false
      error = @{
        message = "$($Exception.Message)"
        fqid = "$($_.FullyQualifiedErrorId)"
        hresult = $Exception.HResult
        category = "$($_.CategoryInfo.Category)"
      }
    }
  }
  $Line = ConvertTo-Json -InputObject $Answer -Depth 8 -Compress
} catch {
  # PowerShell's own commands fail, so this line is made without them.
  $Text = ("$($_.Exception.Message)" -replace '[\\"]', '\$0') -replace '[\x00-\x1f]', ' '
  $Id = "$($_.FullyQualifiedErrorId)" -replace '[^\w,.:-]', ''
  $Line = '{"ok":false,"error":{"message":"' + $Text + '","fqid":"' + $Id + '","hresult":0,"category":""}}'
}
[Console]::Out.WriteLine($Mark + ' ' + $Line)
