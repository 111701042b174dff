@echo off
"%~dp0..\lib\petstore\node.exe" "%~dp0..\lib\petstore\bin\petstore.js" %*
